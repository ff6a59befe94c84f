"""Small word lists: enough of technical prose to tell a verb from a noun after the word that is replaced.

A word that is in none of them is unknown, and where it matters the editor then declines.
"""

from __future__ import annotations

from pipeline.inflect.verbs import PARTICIPLE, PAST, third

VERBS = frozenset(
    "advise aid alter anticipate apologize arrange assemble assist assure attain attempt attract behold bestow "
    "boost bother browse calm celebrate cite classify coincide collaborate commend compel compensate compile "
    "comply compose comprehend concede concentrate condense confess confine conform confront conquer consent "
    "consult contact contemplate contend convene cooperate coordinate cope criticize customize dare deduce defeat "
    "defend defer delegate depart deprive designate destroy detach deter devise diagnose dictate differentiate "
    "digest dilute direct disable disclose disconnect discuss dismiss dispatch disperse dispose disrupt dissolve "
    "distort distribute disturb divert divide donate duplicate elaborate elect elevate elicit embrace empower "
    "enact enclose endorse endure enlarge enlist enrich enrol ensue entail entertain equip erase evade evoke "
    "excel exempt exert express fasten feed flourish foresee foster fulfill fund furnish grant grasp harness "
    "hasten hinder illuminate imitate impair impede impose impress induce infect inflate inflict initiate inquire "
    "insist instruct insulate integrate interact intercept interfere interpret interrupt intervene invalidate "
    "investigate isolate leverage liberate lower manipulate manufacture maximize merit mimic minimize nominate "
    "nourish oppose oppress opt ordain oversee participate penetrate perpetuate pick ponder populate portray "
    "postpone preclude preside presume pretend procure prohibit prolong prompt prosper provoke query reassure "
    "reconcile rectify refrain refresh register regulate rehearse relate relax relinquish remedy renew renounce "
    "repay repel replicate reproduce reschedule rescind restrain restrict retreat retry reuse revamp revert "
    "revisit revive reward rotate safeguard scrutinize search shed shorten showcase soften specialize speculate "
    "stabilize standardize stimulate strip subtract succeed summon supervise supplement supply suppress surpass "
    "surrender surround tailor tempt thwart tighten toggle traverse treat underline undo unfold unveil uphold "
    "utter visualize wander "
    "commence employ inspect execute select utilize obviate streamline optimize implement deploy "
    "configure install assess detect observe fetch parse compute synchronize allocate unlock restart "
    "abort cancel append insert delete remove migrate rename compare crawl purge unload encrypt decrypt "
    "authenticate authorize revoke deny discard ignore publish subscribe listen notify clean mend repair "
    "toil vet strive acquire examine evaluate obey inherit invent invest mitigate motivate navigate "
    "neglect notice omit operate organize overcome perceive perform persuade possess praise preserve "
    "print proclaim promise promote propose protect pursue recall reckon recover recruit refine regain "
    "regret reject relieve rescue resign resist resort retire retrieve reveal revise rid ruin sacrifice "
    "scatter secure seize separate shut simulate skip solve soothe specify spoil starve submit summarize "
    "suspect sustain swallow tackle terminate tolerate transcribe transfer translate trim unite unify "
    "urge violate withdraw withstand witness worry save break add drain lift rot arise age hang hurt cool "
    "heat crack leak ring call close open press shut pull push pay teach win lift wear try use ask wait "
    "walk work write hear draw drag earn eat accept accompany accumulate achieve acknowledge acquire "
    "activate adapt add adhere adjust admit adopt affect agree allow amplify analyze analyse appear apply "
    "approve argue arise arrive ask assert assign assume attach avoid await become begin behave believe "
    "belong bend bind bring build burn buy calculate capture carry catch cease choose clarify clear climb "
    "collapse collect combine come commit communicate compete complain complement complete comprise "
    "conceal conclude confirm confuse connect consider consist constitute construct consume contain "
    "continue contribute convert convey convince correspond corroborate create deal decide declare "
    "decline deepen define degrade deliver demand demonstrate deny depend depict derive descend describe "
    "deserve determine deteriorate develop differ diminish disagree disappear discover distinguish "
    "diverge drive ease elapse eliminate embed emerge emit enable encode encounter encourage enforce "
    "enhance ensure enter erode establish evolve examine exceed exclude exhibit exist expand expect "
    "expire explain explode expose extend facilitate fail fall feel fill find fit fluctuate follow forget "
    "form freeze fulfil gather generate get give go grow guarantee happen help hide highlight hint "
    "identify illustrate imply improve include incorporate increase indicate infer inform inhibit inspire "
    "intend introduce invite invoke involve justify keep know lack lead learn leave let lie linger lose "
    "maintain make matter mean measure merge mislead modify multiply name narrow necessitate need obscure "
    "obtain occupy occur omit originate outweigh overflow overlap overload overwhelm permit persist "
    "pertain pinpoint play plummet point possess precede predict prefer present prevail prevent proceed "
    "produce prove provide publish quantify raise reach realize rebound receive recommend recur reduce "
    "refer reflect refuse reinforce rely remain remind remove render repeat replace represent require "
    "resemble reside resolve respond rest restore resume retain reveal rise run satisfy say see seem send "
    "serve settle shrink signify simplify sit slow solve speak spread stall stand stay stem stop store "
    "strengthen suffer suffice suggest support survive take tell tend terminate think thrive touch "
    "transform transmit travel trigger turn undergo undermine understand underpin uncover validate vanish "
    "vary verify want warn weaken widen yield".split()
)
"""Verbs in their base form, those whose -s form could be a noun too included."""

ALSO_NOUNS = frozenset(
    "purchase leverage push sync open close launch boot halt upgrade downgrade copy paste swap join sort "
    "sum import export grant block drop miss hit alert alarm answer reply link bridge question issue note "
    "page reason rule service shift fix repair notice promise print rescue ruin sacrifice transfer "
    "witness worry regret resort praise skip recall select reject heat crack press pull push pay win lift "
    "wear try use call wait walk work draw drag appeal approach burn buy catch cause change charge check "
    "claim clear climb concern contact control cost count cover cut damage deal decline decrease delay "
    "demand display drift drive drop ease end escape estimate exhibit extract face fall feed fill find "
    "fit fix flag flood flow form freeze function gain guarantee guide help hint highlight hold impact "
    "increase influence invite lack lag lead leak leap leave lie link list load lock log loop match "
    "matter measure merge name need offer order overflow overlap overload pass pause permit plan play "
    "plot point present process produce prompt pulse queue raise range rank reach read record reject "
    "release repeat report request research rest result return rise route run sample scale scan set shape "
    "share shift show shrink sign signal skip slip sound spike split spread stall stand start state stay "
    "stem step stop store stream study support surge swing switch talk test time touch trace track travel "
    "trend trigger trip turn use value view voice wait walk want warrant watch weight win wonder work "
    "yield flow buffer burst cache crash feature filter fire gap group index input jump limit mark model "
    "monitor output path peak poll pool probe review ride ring roll rule schedule score screen search "
    "sleep sort source space speed stage stamp stick strike structure stress supply surface survey target "
    "thread throttle tie top trail train transfer update wake wave".split()
)
"""Verbs whose base form is a noun as well, so `X shows` may be a verb or a plural."""

NOUNS_AND_VERBS = frozenset(
    "access address anchor author average balance ban bar batch bill blame bookmark bracket brand broadcast budget "
    "bundle cap capture cast challenge chart chat circle cluster code comment compound compromise conflict contract "
    "contrast craft credit cycle date debate default design detail document dot doubt draft dream echo email engineer "
    "exchange excuse experience experiment exploit favour favor fear file flash force fork frame fuel fund glue grade "
    "graph guard harm harvest hook host house hurry insult interest interface iron journal judge label land lapse "
    "layer light list machine mail map mask master mind mirror mistake mix mount nest network number object offset "
    "outline pack package paint pair panic park partner patch pattern phase phone picture pilot pin pipe place plug "
    "position post power practice price profile profit program progress project proof query quote race register "
    "reserve resource respect reward risk root rush sail scope script seal section sentence shelter ship shock shop "
    "slice smoke snap sponsor staff stage station stock storm strain style subject substitute tag tail task tax "
    "template text title tour transport trap treat trick trust type vote water weld word wrap zone".split()
)
"""More nouns that are verbs as well: asked only of the word that is replaced and of what replaces it."""

NOUNS = frozenset(
    "account agent alert analysis analyst app application architecture archive array audit backend backup "
    "band bandwidth bank base batch board body book box branch bridge budget bug build bus business "
    "cabinet cable call camera capacity card case category cell center centre chain channel chapter chart "
    "circuit class client clock cluster code collector column command company component computer "
    "condition config configuration connection console container content controller core counter crew "
    "culture curve cycle dashboard data database dataset day deck decoder default department design desk "
    "detail device diagram disk document domain driver duty edge editor element encoder endpoint engine "
    "engineer entry environment error event exporter export facility factor failure feature feed field "
    "figure file firmware floor folder format frame framework frequency frontend gap gateway gauge goal "
    "graph group hardware header history hook host hour hub id idea image index information "
    "infrastructure inlet input instance instrument interface interval inventory item job journal kernel "
    "key keyboard kit lab label lamp lane language laptop layer leader level library limit line link list "
    "loader location log logic logger lookup loop loss machine mail manager manual map mast matrix "
    "mechanism meeting member memory menu message meter method metric middleware minute mission mode "
    "model module monitor month mount name network node note notebook object office operation operator "
    "option order outlet output owner packet page panel parameter part partition parser path pattern "
    "payload peak period person phase phone pipe pipeline plan plane plant platform plugin point policy "
    "pool port position practice price problem procedure process processor producer product program "
    "programme project protocol provider pump purpose quality question queue range rate ratio reader "
    "reading receiver record region registry relay release repository reservoir resolution resource "
    "retention review role room root router row rule runbook sample scale schema scheme screen script "
    "section security sensor series server service session set setting sheet shift signal site size "
    "snapshot software solution source space spec speed stack staff stage standard state statement "
    "station status step storage store strategy stream string structure style subject subscriber "
    "subsystem supply support surface switch system table tank target task team technique technology "
    "template terminal test text threshold throughput time timeline timer token tool toolkit topic tower "
    "trace track traffic train transport tree trend type unit update usage user utility value valve "
    "variable vehicle vendor version video view volume warehouse water wave web week window wire word "
    "work worker workflow year zone bundle consumer bucket".split()
)
"""Nouns that often stand after another noun: `telemetry pipeline`."""

_VERB_NOT_NOUN = VERBS - ALSO_NOUNS - NOUNS
_THIRD_CERTAIN = frozenset(third(v) for v in _VERB_NOT_NOUN)
_THIRD_MAYBE = frozenset(third(v) for v in (VERBS | ALSO_NOUNS)) - _THIRD_CERTAIN
_NOUN_ENDINGS = tuple(
    (
        "tion sion ment ity ness ance ence ship ware ology graphy ist ism base stack point board "
        "house line book path work flow age"
    ).split()
)


def third_person(word: str) -> str:
    """'verb' when the lower-case `word` in -s can only be one, 'maybe' when it can, else nothing."""
    if word in ("is", "was", "has", "does", "goes") or word in _THIRD_CERTAIN:
        return "verb"
    if word in _THIRD_MAYBE:
        return "maybe"
    return "maybe" if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is", "ics")) else ""


def is_base_verb(word: str) -> bool:
    """May the lower-case `word` be a verb in its base form?"""
    return word in VERBS or word in ALSO_NOUNS or word in PAST


def only_verb(word: str) -> bool:
    """Is the lower-case `word` a base form and never a noun?"""
    return word in _VERB_NOT_NOUN


def is_past(word: str) -> bool:
    """Is the lower-case `word` an irregular past or participle of a verb we know?"""
    return word in _PASTS


def is_noun(word: str) -> bool:
    """Can the lower-case `word` be relied on as a noun, singular or plural?"""
    if (
        word in NOUNS
        or word in ALSO_NOUNS
        or (word.endswith("s") and any(w in NOUNS or w in ALSO_NOUNS for w in (word[:-1], word[:-2])))
    ):
        return True
    return word.endswith(_NOUN_ENDINGS) and word not in _VERB_NOT_NOUN and len(word) > 5


_PASTS = frozenset(PAST.values()) | frozenset(PARTICIPLE.values())
