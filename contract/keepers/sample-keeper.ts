import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { nothing, timeZone } from './keeper-words.ts'
import { type Keeper, keeper } from './keepers.ts'

/** No client can make such an id, so there is at most one for each person, and nobody else's. */
export const sampleKeeperId = (personId: string) => `sample-${personId}`

/** Filled with invented content, to try everything in; agents are given it only where they are asked within it, and it goes for good at once. */
export const isSampleKeeper = ({ id, ownerId }: Pick<Keeper, 'id' | 'ownerId'>) => id === sampleKeeperId(ownerId)

/** How many entries it comes with: whoever sees more has written something into it. */
export const sampleEntryCount = 20

export const sampleKeeper = {
  make: endpoint('POST /api/keeper/sample', {
    summary: 'One’s sample keeper, made and filled if it is not there; asks no model',
    access: 'person',
    /** Where the days of its moments are counted; UTC when left out. */
    body: z.object({ timezone: z.optional(timeZone) }),
    returns: keeper,
  }),
  remove: endpoint('DELETE /api/keeper/sample', {
    summary: 'Remove one’s sample keeper with all in it, for good: it does not go into the bin',
    access: 'person',
    returns: nothing,
  }),
}
