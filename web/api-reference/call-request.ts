import { buildRequest } from '#web/api/api-request.ts'
import type { AnyEndpoint, UntypedCallInput } from '#web/api/api-types.ts'
import type { ApiCall, ApiParameter } from './api-calls.ts'

/** The typed texts by location and name, such as `path id`. */
export type ParameterValues = Readonly<Record<string, string>>

export interface CallForm {
  values: ParameterValues
  body: string
  file?: File | undefined
  asStream: boolean
}

export const getParameterKey = ({ in: location, name }: Pick<ApiParameter, 'in' | 'name'>) => `${location} ${name}`

export function createBlankForm({ parameters, body }: ApiCall): CallForm {
  const values = parameters.flatMap((parameter) =>
    parameter.in === 'query' && parameter.required && parameter.example !== undefined
      ? [[getParameterKey(parameter), String(parameter.example)] as const]
      : [],
  )
  return {
    values: Object.fromEntries(values),
    body: body ? JSON.stringify(body.example, null, 2) : '',
    asStream: false,
  }
}

/** @returns problems by the key of their parameter; `body` is the key of the body or file */
export function findFormProblems(call: ApiCall, { values, body, file }: CallForm): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const parameter of call.parameters) {
    const key = getParameterKey(parameter)
    if (parameter.required && !values[key]) problems[key] = `Enter ${parameter.name}.`
  }
  if (call.uploadTypes.length > 0 && !file) problems.body = 'Choose a file.'
  if (call.body && body.trim() !== '')
    try {
      JSON.parse(body)
    } catch (error) {
      problems.body = `This isn’t valid JSON: ${(error as Error).message}`
    }
  return problems
}

/** The call in the shape that the app's own requests have. */
export function toEndpoint({ method, path }: ApiCall): AnyEndpoint {
  return { method, path: path.replace(/\{(\w+)\}/g, ':$1'), response: undefined }
}

/** @param form without problems */
export function toCallInput(call: ApiCall, { values, body, file }: CallForm): UntypedCallInput {
  const pick = (location: ApiParameter['in']) =>
    Object.fromEntries(
      call.parameters
        .filter((parameter) => parameter.in === location)
        .flatMap((parameter) => {
          const value = values[getParameterKey(parameter)]
          return value ? [[parameter.name, value] as const] : []
        }),
    )
  const headers = pick('header')
  return {
    params: pick('path'),
    query: pick('query'),
    ...(headers['If-Match'] && { ifMatch: headers['If-Match'] as unknown as number }),
    ...(headers['Idempotency-Key'] && { idempotencyKey: headers['Idempotency-Key'] }),
    ...(call.body && body.trim() !== '' && { body: JSON.parse(body) as unknown }),
    ...(file && { bytes: file }),
  }
}

export const getAccept = ({ asStream }: CallForm): string => (asStream ? 'text/event-stream' : 'application/json')

/** A command that sends the same request; the token is read from the variable KEEPER_TOKEN. */
export function toCurlCommand(call: ApiCall, form: CallForm, origin: string): string {
  const { path } = toEndpoint(call)
  // Parameters that aren't filled in stay in the address, so that the command shows where they go.
  const params = Object.fromEntries(
    call.parameters
      .filter(({ in: location }) => location === 'path')
      .map((parameter) => [parameter.name, form.values[getParameterKey(parameter)] || `{${parameter.name}}`]),
  )
  const problems = findFormProblems(call, form)
  const input = toCallInput(call, { ...form, ...('body' in problems && { body: '' }), file: undefined })
  const { url, init } = buildRequest({ ...toEndpoint(call), path }, { ...input, params }, null, getAccept(form))
  const headers = [...init.headers].filter(([name, value]) => name !== 'accept' || value !== 'application/json')
  const address = origin + url.replace(/%7B(\w+)%7D/g, '{$1}')
  const parts = [
    `curl ${form.asStream ? '-N ' : ''}${call.method === 'GET' ? '' : `-X ${call.method} `}${quote(address)}`,
    !call.isPublic && '-H "Authorization: Bearer $KEEPER_TOKEN"',
    ...headers.map(([name, value]) => `-H ${quote(`${toHeaderName(name)}: ${value}`)}`),
    init.body !== undefined && `--data ${quote(String(init.body))}`,
    call.uploadTypes[0] && `-H ${quote(`Content-Type: ${form.file?.type || call.uploadTypes[0]}`)}`,
    call.uploadTypes[0] && `--data-binary ${quote(`@${form.file?.name ?? 'FILE'}`)}`,
  ]
  return parts.filter((part) => typeof part === 'string').join(' \\\n  ')
}

/** For a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const toHeaderName = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
