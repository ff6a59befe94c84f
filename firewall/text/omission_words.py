"""The words of omission markers in English, German, French, Spanish and Portuguese, each with its class. Pure data.

The classes are letters, which `firewall.text.omission` explains and matches.
"""

from __future__ import annotations

_BY_CLASS = {
    # determiners and what joins a noun to what it is of
    "d": (
        "the all of this these those your my any our from to and der die das des dem den vom von dieses dieser "
        "alle allen le la les du de ce cette tout toute tous toutes et el los las lo del este esta todo toda "
        "todos todas y o a os as do da dos das deste desta e "
        "one two three four five six seven eight nine ten several zwei "
        "drei vier fünf sechs deux trois quatre cinq dos tres cuatro cinco dois duas três quatro"
    ),
    # what is left
    "n": "rest remainder everything reste suite resto restante demás demais übrige übrigen übriges",
    # what was there
    "a": (
        "remaining existing previous prior vorherige vorheriger vorheriges vorherigen existant existante "
        "existants existantes précédent précédente précédents précédentes restant restante restants restantes "
        "existente existentes anterior anteriores restantes"
    ),
    # what may be anything's
    "e": (
        "other more further additional middle "
        "preceding following subsequent earlier current autres suivant suivante suivants suivantes "
        "siguiente siguientes seguinte seguintes otra otro otras otros outra outro outras outros"
    ),
    "g": "original origine originale originales originals originais originaux",
    # the parts of a text
    "x": (
        "content contents text texts section sections document documents documentation file files chapter "
        "chapters paragraph paragraphs page pages article articles texte inhalt inhalte inhalts textes abschnitt "
        "abschnitte abschnitten abschnitts kapitel kapitels datei dateien dokument dokumente dokuments absatz "
        "absatzes absätze seite seiten contenu contenus chapitre chapitres fichier fichiers paragraphe "
        "paragraphes contenido contenidos texto textos sección secciones seccion capítulo capítulos capitulo "
        "archivo archivos documento documentos passage passages párrafo párrafos parágrafo parágrafos página páginas "
        "conteúdo conteúdos seção seções arquivo arquivos ficheiro ficheiros subtree"
    ),
    # the parts of anything
    "t": (
        "code codes docs doc part parts line lines list lists item items entry entries row rows step steps "
        "function functions method methods class classes implementation implementations logic import imports "
        "body bodies table tables story script note notes material detail details data example examples heading "
        "headings bullet bullets point points field fields key keys property properties props component "
        "components jsx html css markup markdown config configuration setting settings test tests case cases "
        "prose poem verse verses stanza stanzas manuscript guide readme module modules block blocks definition "
        "definitions rules options commands routes styles reference references footnote footnotes quelltext teil "
        "teile teils zeilen punkte einträge funktionen methoden partie parties ligne lignes fonction fonctions "
        "méthode méthodes élément éléments código parte partes línea líneas linhas función funciones função "
        "funções método métodos elemento elementos itens"
    ),
    # that it is as it was, or gone
    "s": (
        "idem ídem ditto dito "
        "untouched unaltered skipped abridged abbreviated identical intact as-is preserved retained verbatim "
        "maintained gleich weggelassen identisch identique identiques igual iguales iguais mantiene mantienen "
        "mantém"
    ),
    # the same, where it says so alone
    "p": "unmodified elided truncated cut snip snipped ausgelassen gekürzt",
    "q": "unchanged omitted",
    "b": "same mismo misma mismos mismas mesmo mesma mesmos mesmas",
    "l": (
        "va is are was were be been being has have had will should must it that which they still exactly just now "
        "at here below above before remain remains stay stays keeps kept no on ist sind wird werden bleibt "
        "bleiben hier unten oben est sont demeure demeurent ici ci-dessous es son está están sigue siguen queda "
        "quedan permanece permanecen permanecem se aquí aqui vai é são fica ficam exactamente"
    ),
    "c": "continue continued continues follow follows folgt folgen suit suivent continúa continúan continua continuam",
    "f": "as in for like",
    "k": (
        "keep leave insert retain include add restore copy paste re-add put preserve mantener manter conservar "
        "garder conserver laisser insérer insertar inserir behalten beibehalten einfügen"
    ),
    "v": "see per siehe voir ver véase",
    "z": "since until seit bis depuis desde",
    "h": "todo fixme note hinweis nota",
}
WORDS = {word: kind for kind, words in _BY_CLASS.items() for word in words.split()}
"""Class of a word in lower case."""
STEMS = (
    ("restliche", "a"),
    ("übrige", "a"),
    ("bestehende", "a"),
    ("bisherige", "g"),
    ("vorhandene", "a"),
    ("ursprüngliche", "g"),
    ("weitere", "e"),
    ("unverändert", "q"),
    ("inchang", "q"),
    ("omis", "s"),
    ("omitid", "p"),
    ("inalterad", "s"),
    ("idéntic", "s"),
    ("idêntic", "s"),
    ("mantid", "s"),
)
"""Beginnings of inflected words, with their class."""
_PHRASES = {
    "n": "everything else|all else|lo demás|o restante|alles andere|alles weitere|alles übrige|tout le reste",
    "s": (
        "left out|not shown|not changed|not modified|not altered|not touched|not repeated|not included|"
        "as before|as is|as above|as it is|as it was|as they are|as they were|as previously|as in original|"
        "as in the original|as in the previous|as in the existing|as in the old|as in the current|same as before|"
        "same as above|same as original|same as previous|same as existing|same as the original|"
        "as in your file|as in the file|as in your version|as in the last version|as in the previous version|"
        "as in the old version|as in your original|in your file|in the last version|as written|"
        "identical to the original|wie in der letzten fassung|wie in der vorigen fassung|comme dans la version|"
        "como en la versión anterior|como na versão anterior|for brevity|"
        "for length|does not change|do not change|doesn't change|"
        "don't change|wie bisher|wie zuvor|wie vorher|wie oben|wie gehabt|wie im original|nicht geändert|"
        "nicht verändert|comme avant|comme ci-dessus|comme précédemment|ne change pas|ne changent pas|"
        "non modifié|le même|la même|les mêmes|no cambia|no cambian|no se modifica|no se modifican|no se cambia|"
        "se mantiene|se mantienen|como antes|como estaba|como acima|como no original|como en el original|"
        "não muda|não mudam|se mantém|dans le original|comme dans le original|lo mismo"
    ),
    "p": (
        "no changes|no change|no further changes|no other changes|without changes|without any changes|"
        "keine änderung|keine änderungen|ohne änderung|ohne änderungen|sans changement|sans changements|"
        "sans modification|sans modifications|aucun changement|pas de changement|pas de changements|sin cambios|"
        "sin cambio|sin modificar|sin modificaciones|sem alteração|sem alterações|sem mudança|sem mudanças|"
        "sem modificações|weiter wie gehabt|weiter wie bisher|weiter wie zuvor|weiter wie vorher|weiter wie oben|"
        "sigue igual|suite inchangée|continua igual"
    ),
    "l": "hier steht|hier kommt|va ici",
    "c": "goes here|go here|goes on|geht weiter",
    "k": "fill in|continue with",
    "v": "as in",
}
PHRASES = {phrase: kind for kind, phrases in _PHRASES.items() for phrase in phrases.split("|")}
"""Class of two, three or four words that stand together."""
