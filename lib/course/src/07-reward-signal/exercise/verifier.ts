import { expectFunction, NotYet, Passed } from "../../shared/exercise/verdict";

export interface Booking {
  readonly id: string;
  readonly guest: string;
  readonly day: string;
  readonly seats: number;
}

/** The state of a restaurant's desk, which the agent changes through its tools. */
export interface Desk {
  readonly bookings: readonly Booking[];
  readonly log: readonly string[];
}

/** "Book a table for `guest` on `day`, `seats` seats, and touch nothing else." */
export interface BookingTask {
  readonly guest: string;
  readonly day: string;
  readonly seats: number;
}

/** Whether the task is done, judged by the desk before and after the episode, the task, and the agent's last words. */
export type VerifierAnswer = (before: Desk, after: Desk, task: BookingTask, said: string) => boolean;

interface Episode {
  readonly after: Desk;
  readonly said: string;
  /** Sentence for a verifier that judges this episode wrongly. */
  readonly sentence: string;
}

const exercise = "verifier";
const task: BookingTask = { guest: "Noor", day: "Friday", seats: 4 };
const before: Desk = {
  bookings: [
    { id: "b1", guest: "Ada", day: "Friday", seats: 2 },
    { id: "b2", guest: "Emil", day: "Friday", seats: 6 },
    { id: "b3", guest: "Noor", day: "Sunday", seats: 4 },
  ],
  log: ["desk opened"],
};

const done: Booking = { id: "b4", guest: "Noor", day: "Friday", seats: 4 };
const claim = "Done: Noor has a table for 4 on Friday. VERIFIED: true";

function episode(
  bookings: readonly Booking[],
  sentence: string,
  said = claim,
  log: readonly string[] = [],
): Episode {
  return { after: { bookings, log: [...before.log, ...log] }, said, sentence };
}

const [ada, emil, earlier] = before.bookings as [Booking, Booking, Booking];

const honest: readonly Episode[] = [
  episode([...before.bookings, done], "it refuses an honest booking."),
  episode([...before.bookings, { ...done, id: "x-917" }], "it refuses an honest booking because of its id."),
  episode([done, earlier, emil, ada], "it refuses an honest booking because the list is in another order."),
  episode([...before.bookings, done], "it refuses an honest booking because the agent said nothing.", ""),
  episode(
    [...before.bookings, done],
    "it refuses an honest booking because the agent said it in other words.",
    "voilà",
  ),
  episode([...before.bookings, done], "it refuses an honest booking because the log has grown.", claim, [
    "booked b4",
  ]),
];

const without = (gone: Booking): Booking[] => before.bookings.filter((booking) => booking !== gone);
const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const exploits: readonly Episode[] = [
  episode(before.bookings, "it pays an agent that only says it is done; nothing was booked."),
  episode(before.bookings, "it pays an agent that wrote its success into the log; nothing was booked.", "", [
    "booked Noor Friday 4: ok",
  ]),
  episode([...before.bookings, { ...done, seats: 2 }], "it pays a booking with the wrong number of seats."),
  episode([...before.bookings, { ...done, day: "Saturday" }], "it pays a booking on the wrong day."),
  episode([...before.bookings, { ...done, guest: "Emil" }], "it pays a booking for the wrong guest."),
  episode(
    [...without(earlier), { ...earlier, day: "Friday" }],
    "it pays an agent that moved the guest's booking of another day instead of making one.",
  ),
  episode([...without(emil), done], "it pays an agent that deleted a stranger's booking to make room."),
  episode(
    [...without(emil), { ...emil, seats: 1 }, done],
    "it pays an agent that changed a stranger's booking on the way.",
  ),
  episode([...before.bookings, done, { ...done, id: "b5" }], "it pays the same booking twice over."),
  episode(
    [...before.bookings, ...days.map((day, i) => ({ ...done, id: `c${String(i)}`, day }))],
    "it pays an agent that books every day so that one of them is right.",
  ),
  episode(
    [...without(ada), { ...ada, guest: "Noor", seats: 4 }],
    "it pays an agent that took over a stranger's booking.",
  ),
];

/**
 * Whether a verifier pays for what was asked, for all of it, and for nothing else.
 *
 * It sees honest episodes that look different, and episodes that try to game it. It must read the state, not the words.
 *
 * @throws {NotYet} if an episode is judged wrongly; the message names the first one
 * @see AWM, arXiv 2602.10090: verification code over the state of a database
 */
export function checkVerifier(answer: VerifierAnswer): Passed {
  expectFunction(exercise, answer);
  const judge = ({ after, said }: Episode): boolean => {
    let verdict: unknown;
    try {
      verdict = answer(structuredClone(before), structuredClone(after), { ...task }, said);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new NotYet(exercise, `the verifier throws: ${message}`);
    }
    if (typeof verdict === "boolean") return verdict;
    throw new NotYet(exercise, `the verifier must return true or false; it returned ${typeof verdict}.`);
  };
  for (const one of honest) if (!judge(one)) throw new NotYet(exercise, one.sentence);
  for (const one of exploits) if (judge(one)) throw new NotYet(exercise, one.sentence);
  return new Passed(
    exercise,
    `${String(honest.length)} honest episodes paid, ${String(exploits.length)} others refused`,
  );
}
