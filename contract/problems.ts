/**
 * Everything that can go wrong and is worth a name. One place (server/http/problem-answer.ts) makes the HTTP
 * answer from it. Texts say what happened and what to do; a verb may replace the text, never the status.
 */
export const problems = {
  'bad-input': { status: 400, text: 'Some of what was sent cannot be used. The fields say which and why.' },
  'driver-missing': { status: 400, text: 'Custom domains are not set up on this server.' },
  'not-signed-in': { status: 401, text: 'Please sign in to go on.' },
  'wrong-credentials': { status: 401, text: 'That e-mail and password do not match. Check both and try again.' },
  forbidden: { status: 403, text: 'You can see this, but you may not do that with it.' },
  'permission-missing': { status: 403, text: 'This needs a permission your account does not have.' },
  'setup-link-refused': {
    status: 403,
    text: 'This set-up link was used already or is too old. Run "npm run admin -- setup-link" on the server to get a new one.',
  },
  'registration-closed': {
    status: 403,
    text: 'This server takes no new registrations. Ask who runs it for an invitation.',
  },
  'invitation-refused': {
    status: 403,
    text: 'This invitation was used or taken back already, or is too old. Ask who sent it for a new one.',
  },
  'reset-link-refused': { status: 403, text: 'This link was used already or is too old. Ask for a new one.' },
  'account-deactivated': { status: 403, text: 'This account is deactivated. Ask who runs this server.' },
  'not-found': { status: 404, text: 'There is nothing here that you may see.' },
  'request-timeout': {
    status: 408,
    text: 'What you sent did not arrive in time. Nothing was changed. Check the connection and try again.',
  },
  conflict: { status: 409, text: 'This does not fit the present state any more. Reload and look again.' },
  stale: { status: 409, text: 'Somebody saved a newer version meanwhile. Both are kept: compare them and save again.' },
  'slug-taken': { status: 409, text: 'This slug is taken. Choose another one.' },
  'email-taken': { status: 409, text: 'There is already an account with this email. Sign in instead.' },
  'answers-changed': {
    status: 409,
    text: 'With this memory, golden questions are not answered as they should be any more. Nothing was approved. Compare the answers and approve again.',
  },
  'agent-not-ready': { status: 409, text: 'This agent is not ready. Set its status to ready before running it.' },
  'too-large': { status: 413, text: 'That is larger than this call takes.' },
  'wrong-content-type': { status: 415, text: 'Send JSON with "Content-Type: application/json".' },
  'wrong-host': { status: 421, text: 'This server does not answer for that host name.' },
  unprocessable: { status: 422, text: 'That was understood, but cannot be done.' },
  'context-too-long': {
    status: 422,
    text: 'The text is longer than this model can read. Shorten it or choose another model.',
  },
  'content-filter': { status: 422, text: 'The provider refused to answer this text.' },
  'too-many': { status: 429, text: 'Too many tries in a short time. Wait a little and try again.' },
  'over-budget': {
    status: 429,
    text: 'The budget for this is spent. Nothing was sent. It begins anew with the next period.',
  },
  internal: {
    status: 500,
    text: 'Something failed on the server. Nothing you wrote is affected. Try again, or give the request id to who runs this server.',
  },
  'provider-failed': { status: 502, text: 'The model provider failed.' },
  'shutting-down': { status: 503, text: 'The server is about to restart. Try again in a moment.' },
  'streams-full': {
    status: 503,
    text: 'Too many people listen to this server at once. Nothing was sent. Try again in a moment.',
  },
  'database-busy': { status: 503, text: 'The database is busy. Try again in a moment.' },
  'media-unavailable': {
    status: 503,
    text: 'Pictures and recordings cannot be reached now. Nothing was changed. Try again in a moment.',
  },
  'provider-timeout': { status: 504, text: 'The model provider took too long.' },
  'storage-full': { status: 507, text: 'The disk of this server is full. Nothing was changed.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ProblemCode = keyof typeof problems
