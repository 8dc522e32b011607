import { expect } from 'vitest'
import type { TestAnswer } from './test-app.ts'

/** Expects a refusal that names exactly these fields. */
export function expectInvalid(
  { status, body }: Pick<TestAnswer<unknown>, 'status' | 'body'>,
  ...fields: string[]
): void {
  expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields })
}
