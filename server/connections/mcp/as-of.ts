import * as z from 'zod/mini'

export const dayArgument = z.iso.date('Give a day as 2026-03-31.')

export const asOfArgument = z.optional(
  dayArgument.check(z.describe('Only what was written and approved by the end of this day, as it was then.')),
)

/** Says in the answer that it isn’t today’s memory. */
export const createDayNote = (day: string | undefined) =>
  day === undefined ? {} : { note: `As of ${day}: only what was written and approved by then.` }
