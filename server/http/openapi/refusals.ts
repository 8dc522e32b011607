import type { Endpoint } from '#contract/endpoint.ts'
import { type ProblemCode, problems } from '#contract/problems.ts'
import type { OpenApiObject } from './json-schema.ts'

interface Refusal {
  code: ProblemCode
  status: number
}

/** Refusals of the router, derived from the contract; openapi.test.ts compares them with its answers. */
export function listRefusals({
  access,
  proof,
  params,
  body,
  upload,
  match,
  method,
  worksWhileLocked,
}: Endpoint): Refusal[] {
  const isPublic = access === 'public'
  const hasBody = body !== undefined || upload !== undefined || match?.body !== undefined
  const codes: (ProblemCode | false | undefined)[] = [
    'bad-input',
    !isPublic && 'not-signed-in',
    // Writes from another site.
    method !== 'GET' && 'forbidden',
    typeof access === 'object' && 'permission-missing',
    typeof access === 'object' && 'second-factor-required',
    'scope-missing',
    proof && 'proof-needed',
    params && 'not-found',
    (method === 'PUT' || method === 'PATCH') && 'stale',
    hasBody && 'too-large',
    hasBody && 'wrong-content-type',
    !worksWhileLocked && 'session-locked',
  ]
  return codes
    .filter((code) => code !== false && code !== undefined)
    .map((code) => ({ code, status: problems[code].status }))
}

const errorFields = {
  success: { const: false },
  code: { type: 'string', description: 'Stable; the text is not.', examples: Object.keys(problems) },
  requestId: { type: 'string', description: 'Leads to the failure in the server’s log.' },
  fields: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'For each field that isn’t valid, what to change.',
  },
}
const requiredFields = ['success', 'error', 'code', 'requestId']

export const problemSchemas = {
  Problem: {
    type: 'object',
    required: requiredFields,
    properties: { ...errorFields, error: { type: 'string', description: 'A text for people.' } },
  },
  SignInProblem: {
    type: 'object',
    required: requiredFields,
    properties: {
      ...errorFields,
      error: {
        type: 'object',
        required: ['message', 'code'],
        properties: { message: { type: 'string' }, code: { type: 'string' } },
      },
    },
  },
}

const signInPrefix = '/api/kam/auth/'

/** @param codes empty for the response that stands for every other error */
export function toResponseName({ path }: Endpoint, codes: ProblemCode[]): string {
  const prefix = path.startsWith(signInPrefix) ? 'sign-in.' : ''
  return prefix + (codes.length === 0 ? 'other' : codes.toSorted().join('.'))
}

/** A response for each set of codes with the same status that some call can answer. */
export function listSharedResponses(endpoints: Endpoint[]): Record<string, OpenApiObject> {
  const responses: Record<string, OpenApiObject> = {}
  for (const endpoint of endpoints) {
    const byStatus = Map.groupBy(listRefusals(endpoint), ({ status }) => status)
    const sets = [...byStatus.values()].map((refusals) => refusals.map(({ code }) => code))
    for (const codes of [...sets, []]) responses[toResponseName(endpoint, codes)] ??= toResponse(endpoint, codes)
  }
  return responses
}

function toResponse({ path }: Endpoint, codes: ProblemCode[]): OpenApiObject {
  const isSignIn = path.startsWith(signInPrefix)
  const schema = { $ref: `#/components/schemas/${isSignIn ? 'SignInProblem' : 'Problem'}` }
  if (codes.length === 0)
    return { description: 'Another error; the code says which.', content: { 'application/json': { schema } } }
  const examples = codes.map((code) => [code, { value: createProblemExample(code, isSignIn) }])
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].text}`).join('\n\n'),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

function createProblemExample(code: ProblemCode, isSignIn: boolean): OpenApiObject {
  const message = problems[code].text
  return {
    success: false,
    error: isSignIn ? { message, code } : message,
    code,
    requestId: '0193f2c4a5b67c8d9e0f1a2b3c4d5e6f',
    ...(code === 'bad-input' && { fields: { title: 'Enter a title.' } }),
  }
}
