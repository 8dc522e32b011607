import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * Who may make a call at all. What somebody may do with one particular thing is decided by looking it up
 * through the person; this class is only the door.
 * - `public`: anyone, also without a token
 * - `person`: whoever is signed in
 * - `{ permission }`: signed in and holding that platform permission
 */
export type Access = 'public' | 'person' | { permission: Permission }

export const permissions = [
  'access_admin_pages',
  'manage_platform_roles',
  'manage_domains',
  'manage_users',
  'view_analytics',
  'manage_api_keys',
  'system_configuration',
  'content_moderation',
  'view_user_data',
  'assist_users',
  'view_logs',
  'basic_analytics',
  'moderate_content',
  'review_reports',
  'manage_flags',
  'view_content_analytics',
  'export_data',
  'view_reports',
  'read_only_access',
  'api_access',
  'debug_access',
  'technical_tools',
  'view_public_data',
  'basic_reports',
] as const
export type Permission = (typeof permissions)[number]

/**
 * The seeds put several calls on one address and tell them apart by a query or body value. `'*'` means
 * "present"; anything else must match exactly. Only the contract knows these: inside, each is its own call.
 */
export interface When {
  query?: Record<string, string>
  body?: Record<string, string>
}

export interface Description<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Returns extends z.ZodMiniType,
> {
  summary: string
  access: Access
  when?: When
  params?: Params
  query?: Query
  body?: Body
  returns: Returns
  /** `envelope` (the default) answers `{success, data}`; `bare` answers the data alone. */
  answer?: 'envelope' | 'bare'
  /** The call may also answer `text/event-stream` when asked to by `Accept`. */
  streams?: boolean
  /** Makes something new; sent again with the same `Idempotency-Key`, it is answered again and not made again. */
  creates?: boolean
  /** The body is bytes, not JSON: of one of these content types, parameters such as `codecs` aside. */
  takes?: { mime: readonly string[] }
  /** Most bytes a body may have; 1 MiB unless told. */
  bodyLimit?: number
  /** Most keys of a JSON body; 2,000 when left out. Above 50,000 as many list items too. */
  bodyKeys?: number
}

export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Returns extends z.ZodMiniType = z.ZodMiniType,
> extends Description<Params, Query, Body, Returns> {
  method: Method
  /** Path with `:name` parameters, as `/api/domains/:id/members/:userId`. */
  path: string
}

type None = z.ZodMiniObject<Record<string, never>>

/** One call of the address book, e.g. `endpoint('GET /api/domains/my', { access: 'person', … })`. */
export function endpoint<
  Returns extends z.ZodMiniType,
  Params extends z.ZodMiniType = None,
  Query extends z.ZodMiniType = None,
  Body extends z.ZodMiniType = None,
>(
  address: `${Method} /${string}`,
  description: Description<Params, Query, Body, Returns>,
): Endpoint<Params, Query, Body, Returns> {
  const [method, path] = address.split(' ') as [Method, string]
  return { method, path, ...description }
}

export type Answer<E extends Endpoint> = z.output<E['returns']>

/** The shape of every answer that is not bare. */
export interface Envelope<Data> {
  success: boolean
  data?: Data
  error?: string | { message: string; code: string }
  code?: string
  requestId?: string
  fields?: Record<string, string>
  next_cursor?: string | null
}
