// What prose may not say, or only with a licence: English words in lower case, phrases with single blanks.
// Data; the checks are in prose.ts, and a test asks each entry.
import { wordList } from "./word-list.js";

/** Number words and what turns a number into another, P1. */
export const NUMBER_WORDS: readonly string[] = wordList(`
  zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen,
  sixteen, seventeen, eighteen, nineteen, twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety,
  hundred, hundreds, thousand, thousands, million, millions, billion, billions, trillion, dozen, dozens, score,
  half, halves, third, thirds, quarter, quarters, once, twice, thrice, double, doubled, triple, tripled,
  single, couple, second, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, thirteenth,
  fourteenth, fifteenth, sixteenth, seventeenth, eighteenth, nineteenth, twentieth, thirtieth, fortieth,
  fiftieth, sixtieth, seventieth, eightieth, ninetieth, hundredth, thousandth, millionth, percent, percentage,
  pct, zeros, ones, twos, threes, fours, fives, sixes, sevens, eights, nines, tens, elevens, twelves, teens,
  twenties, thirties, forties, fifties, sixties, seventies, eighties, nineties, fourty, ninty, trillions,
  quadrillion, quadrillions, quintillion, nil, nought, naught, twelvefold, onefold, twofold, threefold,
  fourfold, fivefold, sixfold, sevenfold, eightfold, ninefold, tenfold, hundredfold, thousandfold, manifold,
  halved, halving, halve, seconds, fourths, fifths, sixths, sevenths, eighths, ninths, tenths, twelfths,
  twentieths, hundredths, thousandths, millionths, billionth, billionths, trillionth, nineth, twelveth,
  doubles, doubling, triples, tripling, treble, quadruple, quadrupled, quintuple, pair of, trio, quartet,
  quintet, dozenth, percents, percentages, percentile, percentiles, permille, minus, plus, infinity, infinite,
  myriad, gross of, k, bn, mn,
    umpteen, umpteenth, zilch, nada, duo, twosome, threesome, foursome, solitary, lone, twin, twins, triplet,
    triplets, decade, decades, century, centuries, millennium, millennia, lakh, crore, googol, per cent,
    per mille, basis points, bps, goose egg, threescore, fourscore, scores, doubly, triply, singly, triplicate,
    deuce, sextet, septet, octet, nonet, zeroth, nth, squared, cubed, centennial, centenary, bicentennial,
    octogenarian, biannual, biennial, triennial, quadrillionth, dozenfold, myriads, an hour, a minute, a day,
    a week, a month, a year, twoish, threeish, fourish, fiveish, sixish, sevenish, eightish, nineish, tenish,
    elevenish, twelveish, sieben, siete, uno, dos, tres, cuatro, cinco, seis, ocho, nueve, diez, deux, trois,
    quatre, cinq, huit, neuf, vingt, mille, eins, zwei, drei, vier, funf, acht, neun, zehn, zwolf, zwanzig,
    hundert, tausend, quattro, cinque, sette, otto, nove, dieci, cento, dois, oito, dez, twee, drie, zeven,
    negen, tien, doce, trece, catorce, quince, veinte, treinta, cien, ciento, mil, douze, treize, quatorze,
    trente, quarante, cinquante, soixante, venti, trenta, vinte, trinta, cem, une
`);

/** In their order. */
export const MONTHS: readonly string[] = wordList(`
  january, february, march, april, may, june, july, august, september, october, november, december
`);

/** Stretches of time that "last", "next" and their like count from today. */
const STRETCHES = wordList(`
  second, seconds, minute, minutes, hour, hours, day, days, night, nights, morning, afternoon, evening, week,
  weeks, weekend, weekends, fortnight, month, months, quarter, quarters, season, seasons, semester, spring,
  summer, autumn, fall, winter, year, years, decade, decades, century, centuries, millennium
`);

/** Months, weekdays, holidays, and words for stretches of time around now, P2. */
export const DATE_WORDS: readonly string[] = [
  ...MONTHS,
  ...wordList(`
    jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec, monday, tuesday, wednesday, thursday, friday,
    saturday, sunday, mon, tue, tues, wed, thu, thur, thurs, fri, sat, christmas, easter, thanksgiving,
    halloween, ramadan, hanukkah, diwali, new year, today, yesterday, tomorrow, tonight, noon, midnight,
    fortnight, bc, bce, ad, ce, am, pm, utc, gmt, sun, weds, mondays, tuesdays, wednesdays, thursdays, fridays,
    saturdays, sundays, januaries, februaries, aprils, mays, junes, julys, julies, augusts, septembers,
    octobers, novembers, decembers, xmas, new years, new year eve, epiphany, pentecost, passover, eid, purim,
    yom kippur, rosh hashanah, lent, good friday, labor day, labour day, memorial day, independence day,
    boxing day, valentine, nowruz, holi, juneteenth, bastille, day before yesterday, day after tomorrow,
    nowadays, o'clock, anno domini, cet, cest, edt, pst, pdt, noontime, midday, sunrise, sunset, last few,
    next few, past few,
    recently, lately, currently, presently, at present, these days, so far, to date, spring, summer, autumn,
    winter, summertime, wintertime, springtime, midsummer, midwinter, midweek, midyear, mid year, morning,
    mornings, evening, evenings, afternoon, afternoons, night, nights, overnight, dawn, dusk, weekend, weekends,
    weekday, weekdays, daytime, nighttime, lunchtime, bedtime, leap day, leap year, year end, ides, solstice,
    equinox, holiday, holidays, medieval, victorian, antiquity, semester, fiscal year, yesteryear, todays,
    yesterdays, tonite, enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre,
    noviembre, diciembre, janvier, fevrier, avril, juin, juillet, aout, septembre, octobre, novembre, decembre,
    januar, februar, juni, juli, oktober, dezember, gennaio, febbraio, aprile, maggio, giugno, luglio,
    settembre, ottobre, dicembre, lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, montag, dienstag,
    mittwoch, donnerstag, freitag, samstag, sonntag, lunes, martes, miercoles, jueves, viernes, sabado, domingo,
    heute, gestern, demain, hoy, ayer, oggi, ieri
  `),
  ...wordList("last, next, past, this, coming, upcoming, current").flatMap((word) =>
    STRETCHES.map((stretch) => `${word} ${stretch}`),
  ),
];

/** Of the words of dates those that say something else in small letters, but for what stands before a time. */
export const OFTEN_NO_DATES: readonly string[] = wordList("may, march, mar, sat, sun, lent, eid, holi");
export const BEFORE_TIMES: readonly string[] = wordList(`
  in, of, during, since, by, until, till, from, through, throughout, early, late, mid, last, next, this, each, every,
  before, after, between, past
`);

/** Words of cause, P7. */
export const CAUSE_WORDS: readonly string[] = wordList(`
  because, due to, therefore, thus, hence, caused, causes, cause, causing, led to, leads to, leading to,
  resulted, results in, resulting, explains, explained, explain, reason, reasons, owing to, thanks to,
  as a result, consequently, triggered, since then, result in, results from, result from, explaining,
  explanation, explanations, triggers, trigger, triggering, so that, on account of, attributed to,
  attributable to, stems from, stemmed from, driven by, consequence, consequences, accordingly, why, prompted,
  prompting, owed to, in response to, on the grounds, given that,
    thereby, by virtue of, in view of, induced, induces, sparked, spurred, provoked, contributed, contributes,
    contributing, responsible for, blame, blamed, brought about, gave rise to, gives rise to, fuelled, fueled,
    motivated, motive, motivation, inspired, influenced, influences, impacted, impact of, effect of, effects of,
    ergo, wherefore, in retaliation, in return for, stemming from, arises from, arose from, arising from,
    determined by, depends on, depending on, dependent on, lead to, led up to, leading up to, root cause,
    culprit, incited, cos, cuz, due partly, due mainly, due in part, ascribed to, credited to, by dint of,
    in light of, inasmuch, seeing that, now that, so as to, implies, implied, imply, proves, proved, prove,
    proof, made possible, drove, drives
`);

export type Licence = "extreme" | "universal" | "negation" | "change" | "order" | "pattern" | "belief";

/** Words that need a claim of some kind in their sentence, P5. */
export const LICENSED_WORDS: Readonly<Record<Licence, readonly string[]>> = {
  extreme: wordList(`
    most, least, top, largest, smallest, biggest, busiest, quietest, best, worst, first, last, earliest,
    latest, highest, lowest, longest, shortest, greatest, maximum, minimum, fastest, slowest, oldest, newest,
    only the, fewest, strongest, weakest, youngest, lightest, heaviest, closest, nearest, farthest, furthest,
    rarest, commonest, richest, poorest, maximal, minimal, max, min, final, finally, lastly, initial,
    initially, firstly, foremost, topmost, record high, record low, most of all, most of any,
    leading, winner, winners, topped, tops, champion, unmatched,
    unsurpassed, unrivalled, unrivaled, unparalleled, supreme, utmost, uppermost, runner up, favourite,
    favorite, plurality, maximally, minimally, outstanding, record breaking, pole position, front runner
  `),
  universal: wordList(`
    all, every, everyone, everybody, everything, each, only, both, exclusively, complete, completely, entire,
    entirely, always, whole, solely, sole, fully, wholly, everywhere, invariably, entirety,
    just, merely, purely, alone, constantly, continuously, unanimously, universally, uniquely, exhaustive,
    exhaustively, forever, perpetually, anytime, everytime, uniformly, across the board, en masse, the rest,
    remainder, apart from, other than, every one of
  `),
  negation: wordList(`
    no, none, not, never, nobody, nothing, nowhere, without, neither, nor, absent, absence, cannot, lacked,
    lacks, missing, n't, noone, non, lack, lacking, empty, failed, unable, hardly, barely,
    dont, didnt, isnt, wasnt, couldnt, wont, cant, hasnt, havent, hadnt, wouldnt, shouldnt, arent, werent,
    doesnt, aint, nope, nay, nix, sans, devoid, bereft, refrained, omitted, excluded, excluding, except,
    excepting, unconnected, disconnected, unreachable, unrelated, isolated, untouched, denied, unlikely, rarely,
    seldom, scarcely, false, untrue, incorrect, wrong, wrongly, rather than, instead of, unlike, far from,
    anything but, ceased, quit, avoided, ignored, refused, rejected, impossible, unpaid, inactive, silent,
    dormant, vanished, disappeared, unseen, incapable, fails, fail, failing, failure, unused, nonexistent,
    inexistent, unavailable, unheard, at all
  `),
  change: wordList(`
    rose, rise, rises, risen, fell, fall, falls, fallen, grew, grow, grows, grown, shrank, shrink, shrinks,
    shrunk, more, fewer, less, increased, increase, increases, decreased, decrease, decreases, gained, gain,
    gains, lost, lose, loses, changed, change, changes, became, become, becomes, still, no longer, dropped,
    climbed, remained, rising, falling, growing, growth, shrinking, increasing, decreasing, decline, declined,
    declines, declining, gaining, losing, changing, becoming, drop, drops, dropping, climb, climbs, climbing,
    reduced, reduction, remain, remains, stayed, stay, stays, unchanged, larger, smaller, bigger, higher,
    lower, greater, busier, quieter, faster, slower, no more, any more, anymore,
    soared, plunged, slumped, jumped, plummeted, sank, slid, dipped, tumbled, crashed, escalated, expanded,
    contracted, diminished, dwindled, waned, swelled, mounted, picked up, slowed, accelerated, improved,
    worsened, recovered, rebounded, shifted, varied, fluctuated, evolved, deteriorated, raised, lowered,
    went up, went down, going up, going down, up from, down from, was up, was down, is up, is down, resumed,
    newly, constant, stable, continued, continues, persisted, ballooned, skyrocketed, shot up, transformed,
    altered, modified, collapsed, widened, narrowed, intensified, eased, tapered, faded, subsided, upward,
    upwards, downward, downwards, uptick, downturn, upturn, boost, boosted, overtook, overtaken, exceed,
    exceeds, exceeded, exceeding, surpass, surpasses, surpassed, outnumber, outnumbers, outnumbered, outranks,
    outranked, outdoes, beats, better, worse, superior, inferior, stronger, weaker, richer, poorer, older,
    newer, younger, shorter, heavier, lighter, rarer
  `),
  order: wordList(`
    before, after, during, until, meanwhile, overlapping, overlapped, overlaps, then, followed, follows,
    following, preceded, precedes, preceding, while, later, earlier, afterwards, previously, subsequently,
    simultaneously, afterward, beforehand, overlap, precede, follow, prior to, previous, subsequent,
    simultaneous, whilst, till, sooner, ago, concurrently,
    thereafter, hitherto, formerly, eventually, as soon as, meantime, at the same time, in parallel, coincide,
    coincides, coincided, coinciding, concurrent, contemporaneous, ensuing, ensued, succeeded, succeeds,
    succeeding, predates, predated, postdates, postdated, antedates, antedated, onward, onwards, henceforth,
    thereupon, prior, predecessor, successor, precursor, successive, successively, consecutive,
    consecutively, synchronous, synchronously, to begin with, originally
  `),
  pattern: wordList(`
    burst, bursts, spike, spikes, spiked, peak, peaks, peaked, surge, surges, surged, concentrated, mostly,
    steady, steadily, trend, trends, trending, bursty, spiking, peaking, surging, concentration, clustered,
    outburst, flurry, lull, dip, dips, trough, slump, spree, sporadic, sporadically, intermittent, periodic,
    periodically, cyclical, cyclic, seasonal, seasonally, erratic, volatile, outlier, outliers, anomaly,
    anomalies, anomalous, unusual, unusually, abnormal, predominantly, largely, mainly, chiefly, primarily,
    skewed, hotspot, plateau, majority, minority, bulk, most of, dominant, dominates, dominated, dominating
  `),
  belief: wordList(`
    believed, believe, belief, thought, corrected, correction, retracted, retraction, recorded, believes,
    beliefs, believing, corrects, correcting, corrections, retracts, retract, retracting, retractions,
    amended, revised, revision, revisions, updated, deleted, withdrawn, withdrew, overwritten, superseded,
    mistaken, mistakenly, erroneous, erroneously, in error, rectified, rewritten, backdated, redacted, reverted,
    restated, rescinded, annulled, revoked, outdated, used to be
  `),
};

/** Of the words of patterns those that a first row by some order is, too. */
export const PATTERNS_OF_RANKS: readonly string[] = wordList("peak, peaks, peaked, peaking");

/** Phrases that say another thing than the licensed word that they begin with: the most of some may be few of all. */
export const WHOLE_PHRASES: readonly string[] = wordList("most of");

/** Words of order and change that speak of belief, too: what was once believed was so before a correction. */
export const ALSO_OF_BELIEF: readonly string[] = wordList(`
  earlier, before, previously, formerly, originally, no longer
`);

/** Nouns of time, behind which `following` is a word of order. */
export const TIMES: readonly string[] = [
  ...STRETCHES,
  ...wordList("time, times, moment, period, periods, window, windows, interval, intervals, bucket, buckets"),
];

/** Words in front of a number that turn it into another. */
export const BEFORE_OTHER_NUMBERS: readonly string[] = wordList(`
  over, well over, above, under, below, beyond, exceeding, surpassing, nearly, almost, approaching, up to, upwards of, north of,
  shy of, short of, close to, in excess of, more than, less than, fewer than, at least, at most, not quite, outside
`);

/** Words that end like superlatives and are none. */
export const NO_SUPERLATIVES: readonly string[] = wordList(`
  request, interest, honest, dishonest, forest, harvest, contest, protest, arrest, invest, suggest, digest, modest, priest,
  attest, detest, ingest, divest, manifest, molest, tempest, conquest, bequest, behest, infest, unrest, inquest, earnest, retest,
  disinterest, reinvest, pretest
`);

/** Words that begin a sentence and are no names, beside the common ones. */
export const OPENING_WORDS: readonly string[] = wordList(`
  activity, additionally, alongside, apart, breakdown, communication, concerning, consider, considering,
  counting, details, engagement, finding, furthermore, generally, including, interaction, interactions,
  interestingly, moreover, notably, plenty, regarding, roughly, searching, sorry, specifically, summing,
  tellingly, traffic, trust, ultimately, unfortunately, viewed, likewise, elsewhere, trade, transfers, votes,
  visits, meetings, meeting, teams, leaders, pupils, teachers, students, classes, countries, offices,
  companies, banks, money, spending, outgoing, incoming, please, customers, payees, payers, recipients
`);
