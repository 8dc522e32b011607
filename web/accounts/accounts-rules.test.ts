import { describe, expect, it } from 'vitest'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { getEmailProblem, getNewPasswordProblem, toAccountFailureText } from './check-account.ts'
import { toProfileFailure } from './profile-form.tsx'
import { getSafeNext } from './sign-in-destination.ts'

const createApiError = (status: number, body: unknown) => new ApiError({ status, statusText: '' }, JSON.stringify(body))

describe('the path after signing in', () => {
  const getNext = (value: string) => getSafeNext(`?next=${encodeURIComponent(value)}`, 'https://keeper.example')

  it('is the page the visitor came from', () => {
    expect(getNext('/studio/agents?tab=agent')).toBe('/studio/agents?tab=agent')
    expect(getSafeNext('', 'https://keeper.example')).toBeUndefined()
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/login',
    '/login?next=/x',
    '/',
  ])('is never %s', (value) => {
    expect(getNext(value)).toBeUndefined()
  })
})

describe('the text of a failed sign-in', () => {
  it('is the message of the server', () => {
    expect(
      toAccountFailureText(createApiError(401, { success: false, error: { message: 'Wrong pair.', code: 'x' } })),
    ).toBe('Wrong pair.')
  })

  it('says that the server is unreachable', () => {
    expect(toAccountFailureText(new NetworkError('x'))).toBe('Failed to connect to the server. Please try again later.')
  })

  it('names the request ID of a server failure once', () => {
    const error = { message: 'Something failed. Try again, or give the request id to who runs this server.' }
    expect(toAccountFailureText(createApiError(500, { error, requestId: 'r1' }))).toBe(`${error.message} Request r1.`)
    expect(toAccountFailureText(createApiError(500, { requestId: 'r1' }))).toBe(
      'An unknown error occurred. Try again. Request r1.',
    )
  })

  it('says that the browser blocks storage', () => {
    for (const name of ['SecurityError', 'QuotaExceededError'])
      expect(toAccountFailureText(new DOMException('no', name))).toContain('This browser blocks storage for this site')
    expect(toAccountFailureText(new DOMException('no', 'AbortError'))).toBe('An unknown error occurred.')
  })

  it('is the generic text otherwise', () => {
    expect(toAccountFailureText(createApiError(500, {}))).toBe('An unknown error occurred.')
    expect(toAccountFailureText(new Error('boom'))).toBe('An unknown error occurred.')
  })
})

describe('the text of a failed profile update', () => {
  it('includes the server’s message when there is one', () => {
    const text = 'Failed to update profile'
    expect(toProfileFailure(createApiError(400, { error: 'Too long.' }))).toEqual({ text, detail: 'Too long.' })
    expect(toProfileFailure(createApiError(500, {}))).toEqual({ text })
    expect(toProfileFailure(new NetworkError('x'))).toEqual({ text: 'Failed to update profile. Please try again.' })
  })
})

describe('account fields', () => {
  it('require a valid email and a password of 8 to 128 characters', () => {
    expect(getEmailProblem(' ')).toBe('Enter your email.')
    expect(getEmailProblem('maren')).toContain('name@example.com')
    expect(getEmailProblem('maren@willowbrook.example')).toBeUndefined()
    expect(getNewPasswordProblem('seven77')).toBe('Use at least 8 characters.')
    expect(getNewPasswordProblem('x'.repeat(129))).toBe('Use at most 128 characters.')
    expect(getNewPasswordProblem('x'.repeat(128))).toBeUndefined()
  })
})
