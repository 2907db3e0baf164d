// Twenty questions in plain words over the four data sets, with answers computed from the files.
import { eventsOf, type FileEvent, leadersAt, type StoreName } from "../agent/oracle/data.js";
import { between, counted, earliest, inside, instant, nineDecimals, top, type Window } from "../agent/oracle/plan.js";

export interface Question {
  readonly store: StoreName;
  readonly text: string;
  /** What the first part of an answer must be; sets in any order. */
  readonly expected: () => unknown;
}

const JUNE = between("2004-06-01", "2004-06-08");
const JULY = between("2004-07-05", "2004-07-12");
const SEPTEMBER = between("2004-09-01", "2004-09-08");
const YEAR_2012 = between("2012-01-01", "2013-01-01");
const YEAR_2013 = between("2013-01-01", "2014-01-01");
const MORNING: Window = { from: "1970-01-01T09:00:00Z", to: "1970-01-01T12:00:00Z" };

const messages = (window: Window): readonly FileEvent[] => inside(eventsOf("collegemsg"), window);
const ratings = (window: Window): readonly FileEvent[] => inside(eventsOf("bitcoin-otc"), window);
const meetings = (): readonly FileEvent[] => inside(eventsOf("primaryschool"), MORNING);
const from = (events: readonly FileEvent[], uid: string) => events.filter(({ src }) => src === uid);
const to = (events: readonly FileEvent[], uid: string) => events.filter(({ dst }) => dst === uid);
const sources = (events: readonly FileEvent[]) => events.map(({ src }) => src);
const targets = (events: readonly FileEvent[]) => events.map(({ dst }) => dst);
const different = (names: readonly string[]): number => new Set(names).size;
const mean = (values: readonly number[]): number =>
  nineDecimals(values.reduce((sum, value) => sum + value, 0) / values.length);
const leaders = (country: string) => leadersAt(93).filter((row) => row.country === country);

const college = (text: string, expected: () => unknown): Question => ({ store: "collegemsg", text, expected });
const bitcoin = (text: string, expected: () => unknown): Question => ({ store: "bitcoin-otc", text, expected });
const school = (text: string, expected: () => unknown): Question => ({ store: "primaryschool", text, expected });
const world = (text: string, expected: () => unknown): Question => ({ store: "world-leaders", text, expected });

export const QUESTIONS: readonly Question[] = [
  college("How many messages were sent from 2004-06-01 up to 2004-06-08?", () => messages(JUNE).length),
  college(
    'How many messages did account "1598" send from 2004-06-01 up to 2004-06-08?',
    () => from(messages(JUNE), "1598").length,
  ),
  college(
    'How many messages did account "1624" receive from 2004-09-01 up to 2004-09-08?',
    () => to(messages(SEPTEMBER), "1624").length,
  ),
  college(
    "Which account sent the most messages from 2004-07-05 up to 2004-07-12?",
    () => top(counted(sources(messages(JULY))))[0],
  ),
  college('To how many different accounts did account "1713" write from 2004-07-05 up to 2004-07-12?', () =>
    different(targets(from(messages(JULY), "1713"))),
  ),
  college('When did account "1624" send its first message from 2004-09-01 up to 2004-09-08?', () =>
    instant(earliest(from(messages(SEPTEMBER), "1624").map(({ us }) => us))),
  ),
  college('Which accounts did account "1598" write to from 2004-06-01 up to 2004-06-08?', () => [
    ...new Set(targets(from(messages(JUNE), "1598"))),
  ]),
  college("How many different accounts sent a message from 2004-09-01 up to 2004-09-08?", () =>
    different(sources(messages(SEPTEMBER))),
  ),
  bitcoin("How many ratings were given from 2012-01-01 up to 2013-01-01?", () => ratings(YEAR_2012).length),
  bitcoin(
    "Who gave the most ratings from 2012-01-01 up to 2013-01-01?",
    () => top(counted(sources(ratings(YEAR_2012))))[0],
  ),
  bitcoin(
    "How many ratings below 0 were given from 2013-01-01 up to 2014-01-01?",
    () => ratings(YEAR_2013).filter(({ rating }) => rating < 0).length,
  ),
  bitcoin('What is the mean rating that "35" received from 2012-01-01 up to 2013-01-01?', () =>
    mean(to(ratings(YEAR_2012), "35").map(({ rating }) => rating)),
  ),
  bitcoin('How many different accounts rated "35" from 2012-01-01 up to 2013-01-01?', () =>
    different(sources(to(ratings(YEAR_2012), "35"))),
  ),
  bitcoin('What was the greatest rating that "2642" gave from 2013-01-01 up to 2014-01-01?', () =>
    Math.max(...from(ratings(YEAR_2013), "2642").map(({ rating }) => rating)),
  ),
  school("How many meetings began from 1970-01-01T09:00:00Z up to 1970-01-01T12:00:00Z?", () => meetings().length),
  school(
    'How many meetings of "1500" as source were there from 1970-01-01T09:00:00Z up to 1970-01-01T12:00:00Z?',
    () => from(meetings(), "1500").length,
  ),
  school(
    "Who met the most often, as source or target, from 1970-01-01T09:00:00Z up to 1970-01-01T12:00:00Z?",
    () => top(counted(meetings().flatMap(({ src, dst }) => [src, dst])))[0],
  ),
  world("How many terms of office are believed now, at all times?", () => leadersAt(93).length),
  world("How many terms of office were believed as of tx:20, at all times?", () => leadersAt(20).length),
  world("How many terms of office of Gabon are believed now, at all times?", () => leaders("Gabon").length),
];
