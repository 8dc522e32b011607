import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, timeZone } from './keeper-fields.ts'
import { type Keeper, keeper } from './keepers.ts'

/** One fixed ID per person, in a form no client can generate. */
export const getSampleKeeperId = (personId: string) => `sample-${personId}`

/** Holds invented content to try out. Agents read it only in chats inside this keeper, and it is deleted permanently. */
export const isSampleKeeper = ({ id, ownerId }: Pick<Keeper, 'id' | 'ownerId'>) => id === getSampleKeeperId(ownerId)

/** Initial number of entries; more means the person wrote something. */
export const sampleEntryCount = 20

export const sampleKeeper = {
  make: defineEndpoint('POST /api/keeper/sample', {
    summary: 'Get your sample keeper, creating and filling it if missing; calls no model',
    access: 'person',
    body: z.object({ timezone: z.optional(timeZone) }),
    response: keeper,
  }),
  remove: defineEndpoint('DELETE /api/keeper/sample', {
    summary: 'Delete your sample keeper permanently, without moving it to the trash',
    access: 'person',
    response: emptyResponse,
  }),
}
