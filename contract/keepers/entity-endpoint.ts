import * as z from 'zod/mini'
import { defineEndpoint, type EmptyObject, type EndpointDescription, type HttpMethod } from '../endpoint.ts'
import { emptyResponse, id } from './keeper-fields.ts'

// Not in keeper-fields.ts: the app shell needs endpoints but no schemas, and would load zod with them.

const entityParams = z.object({ id })

/** An endpoint about the keeper or entry that `:id` names. */
export const defineEntityEndpoint = <
  Output extends z.ZodMiniType,
  Query extends z.ZodMiniType = EmptyObject,
  Body extends z.ZodMiniType = EmptyObject,
>(
  address: `${HttpMethod} /${string}/:id${string}`,
  description: Omit<EndpointDescription<typeof entityParams, Query, Body, Output>, 'access' | 'params'>,
) => defineEndpoint(address, { access: 'person', params: entityParams, ...description })

/** An endpoint that deletes the keeper or entry that `:id` names. */
export const defineRemoval = (address: `DELETE /${string}/:id`, summary: string) =>
  defineEntityEndpoint(address, { summary, response: emptyResponse })
