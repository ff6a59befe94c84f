"""How text may be put out of a reader's sight, in each format, and what authors write that looks alike; `P` stands for
a paragraph. Examples of the rule hidden. Pure data."""
# ruff: noqa: E501  # an example stays on its line

from __future__ import annotations

EACH = (
    ("a.adoc", ":x: b \\\nP"), ("a.adoc", "ifdef::never[P]"), ("a.adoc", "indexterm:[P]"), ("a.adoc", "{set:x:P}"),
    ("a.adoc", "pass:[<!-- P -->]"), ("a.adoc", "+++<!--+++ P +++-->+++"), ("a.adoc", "[pass]\n<!-- P -->"),
    ("a.rst", ".. sectionauthor:: P"), ("a.rst", ".. unknown:: P"), ("a.rst", ".. image:: x.png\n   :alt: b\n      P"),
    ("a.tex", "\\typeout{P}"), ("a.tex", "\\newenvironment{x}{P}{}"), ("a.tex", "\\ifthenelse{1=2}{P}{}"),
    ("a.tex", "\\newcommand{\\gone}[1]{}\\gone{P}"), ("a.tex", "\\ifnum0=1 P\\fi"),
    ("a.tex", "\\sbox0{P}"), ("a.tex", "\\savebox{\\b}(3,2)[l]{P}"), ("a.tex", "\\toks0={P}"), ("a.tex", "\\markboth{P}{}"),
    ("a.tex", "\\newacronym{a}{x}{P}"), ("a.tex", "\\begin{frame}\n\\note{P}\n\\end{frame}"), ("a.tex", "\\only<0>{P}"),
    ("a.tex", "\\csname @gobble\\endcsname{P}"), ("a.tex", "\\@firstoftwo{x}{P}"),
    ("a.typ", "#{ let x = [P] }"), ("a.typ", "#text(fill: rgb(0, 0, 0, 0))[P]"), ("a.typ", "#scale(x: 0%, y: 0%)[P]"),
    ("a.typ", "#place(dx: -100cm)[P]"), ("a.typ", "#text(white, [P])"), ("a.typ", "#let x = [P]"), ("a.typ", "#hide[P #emph[x]]"), ("a.typ", "#text(size: 0pt)[P]"), ("a.typ", '#metadata("P")'),
    ("a.org", "src_sh[:exports none]{P}"), ("a.rst", "__ P"), ("a.rst", ":abbr:`x (P)`"), ("a.rst", ".. class:: hidden\n\nP"),
    ("a.org", "#+ATTR_HTML: :style display:none\nP"), ("a.rst", ".. role:: x\n   :class: hidden\n\n:x:`P`"),
    ("a.org", "@@comment:P@@"), ("a.org", "@@html:<!--@@ P @@html:-->@@"), ("a.org", "<<P>>"),
    ("a.mdx", "<X a={`P`} />"), ("a.md", "%% P %%"), ("a.md", "{# P #}"), ("a.md", "% P"), ("a.md", "*[x]: P"), ("a.md", '+++ {"x": "P"}'),
    ("a.md", "P\n{: style='display:none'}"), ("a.md", "[P]{.hidden}"), ("a.md", "{% assign x = 'P' %}"), ("a.md", "<% P %>"),
    ("a.md", "$\\phantom{P}$"), ("a.md", "[[P|x]]"), ("a.md", "`P`{=latex}"), ("a.md", '[x]{title="P"}'),
    ("a.md", "*x*{: title='P'}"), ("a.md", '## x {#y title="P"}'), ("a.md", "<math><annotation>P</annotation></math>"),
    ("a.md", "<math><semantics><mi>x</mi><mtext>P</mtext></semantics></math>"), ("a.md", "<math><mphantom>P</mphantom></math>"),
)  # fmt: skip
"""Ways to put a paragraph out of sight."""
WHOLE = (
    ("a.adoc", "ifeval::[1 == 2]\nP\nendif::[]"), ("a.typ", "#show par: none\n\nP"), ("a.typ", "#let x = [\nP\n]"),
    ("a.tex", "\\stop\nP"), ("a.tex", "\\begin{lrbox}{\\x}\nP\n\\end{lrbox}"), ("a.org", "\\begin{comment}\nP\n\\end{comment}"),
    ("a.org", "#+EXCLUDE_TAGS: zap\n* x :zap:\nP"), ("a.mdx", "export const X = () => (\n<div>\n\nP\n\n</div>\n)"),
    ("a.md", "{% if false %}\nP\n{% endif %}"), ("a.md", "{::comment}\nP\n{:/comment}"), ("a.md", "{{!--\nP\n--}}"),
    ("a.md", "::: {.hidden}\nP\n:::"), ("a.md", "<div v-if='false'>\n\nP\n\n</div>"),
)  # fmt: skip
"""Ways to put all of a text out of sight."""
AROUND = (
    ("a.md", "```{raw} html\n<template>\n```\n\n", ""), ("a.rst", ".. |x| raw:: html\n\n   <template>\n\n", ""),
    ("a.adoc", ":x: pass:[<template>]\n\n{x}\n\n", ""), ("a.adoc", "++++\n<div\n++++\n\n++++\nhidden>\n++++\n\n", ""),
    ("a.org", "#+MACRO: x @@html:<template>@@\n\n{{{x}}}\n\n", ""), ("a.tex", "\\NewEnviron{h}{}\n\\begin{h}\n", "\n\\end{h}\n"),
    ("a.typ", "#show: scale.with(0%)\n\n", ""), ("a.mdx", "export default () => <div />\n\n", ""),
    ("a.tex", "\\enddocument\n", ""), ("a.tex", "\\csname @@end\\endcsname\n", ""), ("a.tex", "\\textwidth=0pt\n", ""),
    ("a.tex", "\\AtBeginShipout{\\AtBeginShipoutDiscard}\n", ""), ("a.tex", "\\catcode`\\w=14\n", ""),
    ("a.typ", "#set page(fill: black)\n\n", ""), ("a.typ", "#set text(fill: rgb(\"#ffffff00\"))\n\n", ""), ("a.typ", "#return\n\n", ""),
    ("a.rst", ".. raw:: html\n\n   <!--\n\n", "\n.. raw:: html\n\n   -->\n"), ("a.rst", ".. raw:: html\n\n   <div hidden>\n\n", ""),
    ("a.rst", ".. raw:: html\n\n   <style>p{display:none}</style>\n\n", ""), ("a.rst", ".. raw:: latex\n\n   \\iffalse\n\n", ""),
    ("a.rst", ".. class:: hidden\n\nTwo\n---\n\n", ""), ("a.adoc", "++++\n<template>\n++++\n\n", "\n++++\n</template>\n++++\n"),
    ("a.adoc", "++++\n<style>p{display:none}</style>\n++++\n\n", ""), ("a.adoc", "[pass]\n<!--\n\n", "\n[pass]\n-->\n"),
    ("a.org", "#+HTML: <div hidden>\n\n", "\n#+HTML: </div>\n"), ("a.org", "#+begin_export html\n<!--\n#+end_export\n\n", ""),
    ("a.md", "```{=html}\n<!--\n```\n\n", "\n```{=html}\n-->\n```\n"), ("a.md", "```{=latex}\n\\iffalse\n```\n\n", ""),
    ("a.md", "`<!--`{=html}\n\n", "\n`-->`{=html}\n"), ("a.md", "`<style>p{display:none}</style>`{=html}\n\n", ""),
    ("a.mdx", "<style>{`p{display:none}`}</style>\n\n", ""), ("a.mdx", "export default () => null\n\n", ""),
    ("a.mdx", '<i dangerouslySetInnerHTML={{__html: "<style>p{display:none}</style>"}} />\n\n', ""),
    ("a.org", "#+begin_hidden\n", "#+end_hidden\n"), ("a.org", "#+HTML_HEAD: <style>p{display:none}</style>\n", ""),
    ("a.adoc", "[.hidden]\n== Two\n\n", ""),
    ("a.org", "#+begin_export latex\n\\iffalse\n#+end_export\n", ""), ("a.org", "#+FILETAGS: :noexport:\n* x\n", ""),
)  # fmt: skip
"""What may stand before and behind a text and put it out of sight."""
BESIDE = (
    ("a.rst", "\n.. |br| raw:: html\n\n   <br />\n\n"), ("a.adoc", "\n:br: pass:[<br>]\n:v: 3\n\nA{br}b.\n\n"),
    ("a.typ", '\n#show: project.with(title: "White nights")\n#show: text.with(size: 11pt)\n\n'),
    ("a.tex", "\n\\newenvironment{x}{\\begin{quote}}{\\end{quote}}\n\\begin{x}\nText.\n\\end{x}\n\n"),
    ("a.mdx", "\nexport const components = {h1: (props) => <Big {...props} />}\n\n"),
    ("a.org", "\n#+HTML_HEAD: <link rel='stylesheet' href='x.css'>\n#+LATEX_HEADER: \\usepackage{x}\n#+ATTR_HTML: :width 300px\n[[file:x.png]]\n\n#+begin_quote\nText.\n#+end_quote\n\n"),
    ("a.rst", "\n.. role:: red\n   :class: red\n\nA :red:`lamp`.\n\n"), ("a.adoc", "\n[.lead]\n== One\n\n[.hidden]\n== Gone\n\n== Two\n\n"),
    ("a.tex", ("\n\\setlength{\\textwidth}{16cm}\\hoffset=-1in\\catcode`\\@=11\\catcode`\\%=14\n\\newacronym{w}{WHO}{World Health}"
              "\\gls{w}\n\\pagecolor{black}\\color{yellow}\\let\\old\\enddocument\\csname foo\\endcsname\n\\newsavebox\\x\\sbox\\x{a}\n\n")),
    ("a.typ", "\n#set page(fill: black, width: 16cm)\n#set text(fill: yellow)\n#text(fill: rgb(10, 20, 0))[Red.]#place(dx: 2cm)[x]\n\n"),
    ("a.typ", "\n#{ let x = 3; [Shown.] }\n#table(columns: 2, [a], [b])\n#text(red, [Red.])\n#if a == [x] [y]\n\n"),
    ("a.md", "\n```{=html}\n<div class='wide'>\n```\n\nA `<u>`{=html}lamp`</u>`{=html}.\n\n```{=html}\n</div>\n```\n"),
    ("a.md", "\n```{=latex}\n\\clearpage\n```\n\n```html\n<!--\n<style>p{display:none}</style>\n```\n\nMore.\n"),
    ("a.mdx", "\n<style>{`.red {color: red}`}</style>\n\n<i dangerouslySetInnerHTML={{__html: svg}} />\n\nText.\n"),
    ("a.mdx", "\nexport default ({children}) => <Layout>{children}</Layout>\n\n```js\nimport x from 'y'\nexport default () => null\n```\n\nText.\n"),
    ("a.rst", "\n.. raw:: html\n\n   <details class=\"more\">\n   <summary>More</summary>\n\nText.\n\n.. raw:: html\n\n   </details>\n"),
    ("a.rst", "\n.. raw:: html\n   :class: x\n\n   <iframe src=\"x\"></iframe><br><style>.red {color: #aa0060}</style>\n\nText.\n"),
    ("a.rst", "\n.. only:: never\n\n   .. raw:: html\n\n      <template>\n\n.. class:: lead\n\nText, a :abbr:`WHO (World Health)` one.\n"),
    ("a.rst", "\n.. raw:: latex\n\n   \\clearpage\n\nA `link <x>`__.\n\n__ https://x.example\n"),
    ("a.adoc", "\n++++\n<p align=\"center\"><img src=\"x.svg\"></p>\n++++\n\n[stem]\n++++\na < b\n++++\n\nA +++<u>lamp</u>+++.\n"),
    ("a.adoc", "\n++++\n<div class=\"wide\">\n++++\n\n----\n++++\n<!--\n++++\n----\n\nText.\n\n++++\n</div>\n++++\n"),
    ("a.org", "\n#+HTML: <div class=\"wide\">\nText.\n#+HTML: </div>\n#+begin_src html\n<!--\n#+end_src\n#+FILETAGS: :book:\n"),
    ("a.org", "\n#+begin_export latex\n\\newpage\n#+end_export\n#+LATEX: \\clearpage\n#+begin_export html\n<br/>\n#+end_export\n"),
)  # fmt: skip
"""What authors put beside a text, of the same kinds."""
PAGE = (
    '<link rel="stylesheet" href="data:text/css,*{display:none}">', "<style>@import 'x.css';</style>",
    '<meta http-equiv="refresh" content="0;url=b">', """<img src=x onerror="document.body.innerHTML=''">""",
    "<script>document.body.remove()</script>",
)  # fmt: skip
"""What may take any part of a page from sight."""
