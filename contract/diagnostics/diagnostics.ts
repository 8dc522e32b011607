import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

const status = z.enum(['ok', 'unavailable'])
export type Readiness = z.infer<typeof status>

const readiness = z.object({ status, reasons: z.array(z.string()) })

export const diagnostics = {
  ping: endpoint('GET /ping', {
    summary: 'The process answers',
    access: 'public',
    returns: z.object({ status: z.literal('ok') }),
    answer: 'bare',
  }),
  health: endpoint('GET /health', {
    summary: 'Ready or not, with reasons',
    access: 'public',
    returns: readiness,
    answer: 'bare',
  }),
  facts: endpoint('GET /debug', {
    summary: 'Liveness as JSON; a browser, which asks for HTML, gets the diagnostics page at the same address',
    access: 'public',
    returns: readiness,
    answer: 'bare',
  }),
  platformStatus: endpoint('GET /railway-status', {
    summary: 'Status of the platform for its host',
    access: 'public',
    returns: z.object({ status }),
    answer: 'bare',
  }),
  formDebug: endpoint('POST /api/debug/form-debug', {
    summary: 'A note that a form was sent; its values are dropped',
    access: 'person',
    body: z.looseObject({}),
    returns: z.nullable(z.object({})),
    bodyLimit: 16 * 1024,
  }),
}
