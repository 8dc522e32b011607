import { truncate } from '#contract/truncate.ts'
import { EgressRefused } from '#server/http/egress.ts'
import { toOneLine } from '#server/models/data-in-prompts.ts'
import { scrub } from '#server/models/scrub.ts'
import { isObject } from '#server/values/is-object.ts'

export class ToolServerFailure extends Error {
  readonly needsSignIn: boolean
  readonly isForgottenSession: boolean

  constructor(
    message: string,
    { needsSignIn = false, isForgottenSession = false }: { needsSignIn?: boolean; isForgottenSession?: boolean } = {},
  ) {
    super(message)
    this.needsSignIn = needsSignIn
    this.isForgottenSession = isForgottenSession
  }
}

/** SDK errors, recognized by their fields because bundled copies have different classes. */
interface SdkFailure extends Error {
  code?: unknown
  data?: { status?: unknown; text?: unknown; timeout?: unknown; maxTotalTimeout?: unknown } | undefined
}

const maxCauseDepth = 5
const networkErrorCodePattern = /^E(?:CONN|HOST|NET|NOTFOUND|PIPE|AI_AGAIN)|^UND_ERR|^CERT|^DEPTH_ZERO|^ERR_TLS/

export function describeToolServerFailure(error: unknown, secrets: readonly string[]): ToolServerFailure {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < maxCauseDepth;
    cause = cause.cause, depth += 1
  ) {
    if (cause instanceof ToolServerFailure) return cause
    if (cause instanceof EgressRefused) return new ToolServerFailure(cause.message)
    if (cause.name === 'AbortError') return new ToolServerFailure('The call was stopped.')
    if (cause.name === 'UnauthorizedError') return signInFailure
    const code = String((cause as { code?: unknown }).code)
    if (networkErrorCodePattern.test(code)) return unreachableFailure
    if (cause.message === 'fetch failed') return unreachableFailure
  }
  const failure = describeSdkFailure(error as SdkFailure)
  if (failure instanceof ToolServerFailure) return failure
  const secretParts = secrets.flatMap((secret) => [secret, ...secret.split(' ')])
  const message = scrub(toOneLine(failure), { keys: secretParts, privateTexts: [] }) || unreadableFailure.message
  return new ToolServerFailure(message, { isForgottenSession: isAboutForgottenSession(error as SdkFailure) })
}

/** The whole message, because tools can have sessions of their own. */
const forgottenSessionPattern =
  /^(?:[\w ]{1,20}: )?(?:(?:unknown|invalid|expired|no valid) (?:mcp[ -])?session(?:[ -]?id)?(?: provided|:? ["'\w-]{0,40}\d["'\w-]{0,40})?\.?$|(?:mcp[ -])?session(?:[ -]?id)?(?: ["'\w-]{8,80})?(?: (?:is|was|has))? (?:not found|unknown|expired|invalid|not valid|terminated)\b|server not initialized\b)/i

/** 404 by the specification; some servers answer 400 or 410, or an error in an answer with status 200. */
function isAboutForgottenSession({ code, data, message }: SdkFailure): boolean {
  return (
    [400, 404, 410].includes(Number(data?.status)) ||
    (typeof code === 'number' && forgottenSessionPattern.test(message))
  )
}

const signInFailure = new ToolServerFailure('The server requires you to sign in (401).', { needsSignIn: true })
const unreachableFailure = new ToolServerFailure('The server couldn’t be reached.')
const unreadableFailure = new ToolServerFailure('Keeper can’t read the server’s answer.')

function describeSdkFailure(error: SdkFailure): ToolServerFailure | string {
  if (!(error instanceof Error)) return unreadableFailure
  if (error.code === 'REQUEST_TIMEOUT') return describeTimeout(error)
  const status = Number(error.data?.status)
  if (status === 401) return signInFailure
  if (status >= 300 && status < 400) return describeRedirect(error.message)
  if (status > 0) return describeStatus(status, String(error.data?.text ?? ''))
  // JSON-RPC errors have a numeric code and the server's own text.
  if (typeof error.code === 'number') return error.message || 'The server gave no reason.'
  if (error.code === 'UNSUPPORTED_RESULT_TYPE')
    return 'The tool asks for more input during the call, which Keeper can’t provide.'
  if (/protocol version/i.test(error.message) && error.message.length < 200) return error.message
  return unreadableFailure
}

function describeTimeout({ data }: SdkFailure): string {
  const { timeout, maxTotalTimeout } = data ?? {}
  if (typeof maxTotalTimeout === 'number')
    return `The call took longer than ${maxTotalTimeout / 1000} seconds. KEEPER_TOOL_TIMEOUT_TOTAL_SECONDS sets how long a call can take.`
  return `The server was silent for ${Number(timeout) / 1000} seconds. KEEPER_TOOL_TIMEOUT_SECONDS sets how long Keeper waits.`
}

const redirectPattern = /Redirect (?:to|from https to plain http not followed; try) (\S+)/

function describeRedirect(message: string): string {
  const [, target] = redirectPattern.exec(message) ?? []
  return target
    ? `The server redirects to another address (${truncate(target, 200)}). If that is the right server, use that address.`
    : 'The server redirects to another address.'
}

function describeStatus(status: number, text: string): string {
  const detail = readErrorDetail(text)
  if (detail) return `The server answered with status ${status}: ${truncate(detail, 300)}`
  if (status === 404 || status === 405)
    return `There’s no MCP server at this address (${status}). The address often ends in /mcp.`
  if (status === 403) return 'The server denies access (403).'
  return `The server answered with status ${status}.`
}

function readErrorDetail(text: string): string {
  const trimmed = text.trim()
  const isWebPage = trimmed.startsWith('<')
  if (isWebPage) return ''
  const isJson = trimmed.startsWith('{') || trimmed.startsWith('[')
  return isJson ? readJsonError(trimmed) : trimmed
}

function readJsonError(text: string): string {
  try {
    const { error, message, error_description: description } = JSON.parse(text) as Record<string, unknown>
    const nestedMessage = isObject(error) ? error.message : error
    return [nestedMessage, description, message].find((detail) => typeof detail === 'string') as string
  } catch {
    return ''
  }
}
