"""Irregular English verbs and plurals: forms that a stemmer cannot bring to their base.

Left out are forms that more often are another word: rose, ground, wound, bore, lay, leaves.
"""

from __future__ import annotations

_FORMS = """
arise arose arisen / awake awoke awoken / beat beaten / become became / begin began begun
bend bent / bet betted / bite bit bitten / bleed bled / blow blew blown / break broke broken
breed bred / bring brought / build built / burn burnt / buy bought / catch caught
choose chose chosen / cling clung / come came / creep crept / deal dealt / dig dug / do did done
draw drew drawn / dream dreamt / drink drank drunk / drive drove driven / eat ate eaten
fall fell fallen / feed fed / feel felt / fight fought / find found / flee fled / fling flung
fly flew flown / forbid forbade forbidden / forget forgot forgotten / forgive forgave forgiven
freeze froze frozen / get got gotten / give gave given / go went gone / grow grew grown
hang hung / have had / hear heard / hide hid hidden / hold held / keep kept / kneel knelt
know knew known / lay laid / lead led / lean leant / leap leapt / learn learnt / leave left
lend lent / lose lost / make made / mean meant / meet met / mistake mistook mistaken / pay paid
prove proven / rebuild rebuilt / redo redid redone / rerun reran / rewrite rewrote rewritten
ride rode ridden / ring rang rung / rise risen / run ran / say said / see saw seen / seek sought
sell sold / send sent / sew sewn / shake shook shaken / shine shone / shoot shot / show shown
shrink shrank shrunk / sing sang sung / sink sank sunk / sit sat / sleep slept / slide slid
speak spoke spoken / speed sped / spell spelt / spend spent / spill spilt / spin spun
spoil spoilt / spring sprang sprung / stand stood / steal stole stolen / stick stuck / sting stung
strike struck / strive strove striven / swear swore sworn / sweep swept / swell swollen
swim swam swum / swing swung / take took taken / teach taught / tear tore torn / tell told
think thought / throw threw thrown / understand understood / undo undid undone / wake woke woken
wear wore worn / weave wove woven / weep wept / win won / withdraw withdrew withdrawn
write wrote written / child children / man men / woman women / foot feet / tooth teeth
mouse mice / goose geese / wife wives / knife knives
"""


def _bases() -> dict[str, str]:
    bases = {}
    for verb in _FORMS.replace("\n", " / ").split(" / "):
        base, *forms = verb.split() or [""]
        bases.update(dict.fromkeys(forms, base))
    return bases


BASES = _bases()
