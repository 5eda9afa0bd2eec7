"""Words that hold a question together and do not say what it is about."""

from __future__ import annotations

_WORDS = """
    a an the this that these those
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    one ones someone somebody something anyone anybody anything everyone everybody everything
    what which who whom whose when where why how whatever whichever whoever
    am is are was were be been being do does did doing done have has had having
    can could will would shall should may might must ought
    don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn cannot
    and or but nor if then than so because as while although though whether
    of in on at to from for with by about into onto over under after before between during through
    up down out off above below against again toward towards upon within without via per
    not no yes there here very too just also ever even only both each any some all such other same
    own more most few many much s t d m re ve ll ok please tell
"""
STOP = frozenset(_WORDS.split())
