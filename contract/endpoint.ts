import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Who can make a call at all: anyone, signed-in people, or people with a platform permission. The endpoint checks each resource. */
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

/** Tells apart calls on one address by a query or body value. `'*'` means present; other values match exactly. */
export interface EndpointMatch {
  query?: Record<string, string>
  body?: Record<string, string>
}

export interface EndpointDescription<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Returns extends z.ZodMiniType,
> {
  summary: string
  access: Access
  when?: EndpointMatch
  params?: Params
  query?: Query
  body?: Body
  returns: Returns
  /** `envelope` (default) responds with `{success, data}`; `bare` with the data alone. */
  answer?: 'envelope' | 'bare'
  /** Can also respond with `text/event-stream`, by `Accept`. */
  streams?: boolean
  /** Creates something; repeated with the same `Idempotency-Key`, the first response is sent again. */
  creates?: boolean
  /** The body is bytes of one of these content types; parameters such as `codecs` are ignored. */
  takes?: { mime: readonly string[] }
  bodyLimit?: number
  /** Max keys of a JSON body, 2,000 by default; above 50,000 also the max list items. */
  bodyKeys?: number
}

export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Returns extends z.ZodMiniType = z.ZodMiniType,
> extends EndpointDescription<Params, Query, Body, Returns> {
  method: Method
  path: string
}

type EmptyObject = z.ZodMiniObject<Record<string, never>>

export function endpoint<
  Returns extends z.ZodMiniType,
  Params extends z.ZodMiniType = EmptyObject,
  Query extends z.ZodMiniType = EmptyObject,
  Body extends z.ZodMiniType = EmptyObject,
>(
  address: `${Method} /${string}`,
  description: EndpointDescription<Params, Query, Body, Returns>,
): Endpoint<Params, Query, Body, Returns> {
  const [method, path] = address.split(' ') as [Method, string]
  return { method, path, ...description }
}

export type EndpointOutput<E extends Endpoint> = z.output<E['returns']>

export interface Envelope<Data> {
  success: boolean
  data?: Data
  error?: string | { message: string; code: string }
  code?: string
  requestId?: string
  fields?: Record<string, string>
  next_cursor?: string | null
}
