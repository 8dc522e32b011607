import { expect, it } from 'vitest'
import { classifyEmailFailure, formatServerAnswer, isServerProblem } from './email-failure.ts'

const createError = (command: string, response: string) => ({
  code: command === 'DATA' ? 'EMESSAGE' : command.startsWith('AUTH') ? 'EAUTH' : 'EENVELOPE',
  responseCode: Number(response.slice(0, 3)),
  command,
  response,
})

/** Answers of real servers, shortened. */
it.each([
  ['MAIL FROM', '553 sender address must match the signed-in user'],
  ['MAIL FROM', '550 5.7.1 Unauthorized'],
  ['MAIL FROM', '530 5.7.57 Client not authenticated to send mail'],
  ['MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first'],
  ['MAIL FROM', '451 4.7.0 Try again later'],
  ['AUTH PLAIN', '535 5.7.8 Username and Password not accepted'],
  ['RCPT TO', '553 5.7.1 <keeper@localhost>: Sender address rejected: not owned by user ida'],
  ['RCPT TO', '554 5.7.1 <ada@sea.example>: Relay access denied'],
  ['RCPT TO', '550 relaying denied'],
  ['RCPT TO', '450 4.1.8 <keeper@localhost>: Sender address rejected: Domain not found'],
  ['RCPT TO', '553 sorry, that domain isn’t in my list of allowed rcpthosts'],
  ['DATA', '554 Message rejected: Email address is not verified'],
  ['DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
  ['DATA', '554 5.2.252 SendAsDenied; ida@sea.example not allowed to send as keeper@localhost'],
  ['DATA', '550-5.7.26 This mail is unauthenticated'],
  ['DATA', '550 5.4.5 Daily user sending limit exceeded'],
  ['RCPT TO', '421 4.3.2 Service shutting down'],
])('at %s, "%s" is the server’s problem', (command, response) => {
  expect(isServerProblem(classifyEmailFailure(createError(command, response)))).toBe(true)
})

it.each([
  ['RCPT TO', '550 5.1.1 <ada@sea.example>: Recipient address rejected: User unknown', 'address-refused'],
  ['RCPT TO', '550 no such user here', 'address-refused'],
  ['RCPT TO', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'address-refused'],
  ['RCPT TO', '450 4.2.0 Greylisted', 'try-later'],
  ['RCPT TO', '452 4.2.2 Mailbox full', 'try-later'],
  ['RCPT TO', '550 5.7.1 Access denied', 'refused-by-policy'],
  ['DATA', '554 5.7.1 Message considered spam', 'refused-by-policy'],
  ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', 'refused-by-policy'],
])('at %s, "%s" is %s', (command, response, problem) => {
  expect(classifyEmailFailure(createError(command, response))).toBe(problem)
})

it('a server whose encryption fails is unreachable, and no sign-in was refused', () => {
  const error = { code: 'ETLS', responseCode: 454, command: 'STARTTLS', response: '454 4.7.0 TLS not available' }
  expect(classifyEmailFailure(error)).toBe('unreachable')
})

it('the server’s answer is shown without user and password in any encoding', () => {
  const url = 'smtp://ida%40sea.example:p%40ss%2Fw%23rd@mail.example'
  const authPlain = Buffer.from('\0ida@sea.example\0p@ss/w#rd').toString('base64')
  const response = `535 no: p@ss/w#rd, p%40ss%2Fw%23rd, ${Buffer.from('p@ss/w#rd').toString('base64')}, ${authPlain}\r\n ${'x'.repeat(500)}`
  const answer = formatServerAnswer({ response }, url)
  expect(answer).toMatch(/^535 no: •••, •••, •••, ••• x+…$/)
  expect(answer?.length).toBeLessThan(310)
})

it('the server’s answer hides the user name, but no longer word that contains it', () => {
  const response = '535 5.7.8 IDA@sea.example and ida%40sea.example refused'
  expect(formatServerAnswer({ response }, 'smtp://ida%40sea.example:x9@mail.example')).toBe(
    '535 5.7.8 ••• and ••• refused',
  )
  expect(formatServerAnswer({ response: '535 ida: no mail on fridays' }, 'smtp://ida:x9@mail.example')).toBe(
    '535 •••: no mail on fridays',
  )
  expect(formatServerAnswer({ response: '535 ida-9' }, 'smtp://ida:ida-9@mail.example')).toBe('535 •••')
})
