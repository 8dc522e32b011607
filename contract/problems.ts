/** Problem codes with status and default text. An endpoint can replace the text, never the status. */
export const problems = {
  'bad-input': { status: 400, text: 'Some fields aren’t valid. Each says what to change.' },
  'driver-missing': { status: 400, text: 'Custom domains are not set up on this server.' },
  'not-signed-in': { status: 401, text: 'Please sign in to continue.' },
  'wrong-credentials': { status: 401, text: 'That email and password don’t match. Check both and try again.' },
  forbidden: { status: 403, text: 'You can view this, but not change it.' },
  'permission-missing': { status: 403, text: 'Your account doesn’t have the permission for this.' },
  'scope-missing': { status: 403, text: 'This access token isn’t allowed to do this.' },
  'setup-link-refused': {
    status: 403,
    text: 'This setup link has already been used or has expired. Run "npm run admin -- setup-link" on the server for a new one.',
  },
  'registration-closed': {
    status: 403,
    text: 'Registration is closed. Ask your administrator for an invitation.',
  },
  'invitation-refused': {
    status: 403,
    text: 'This invitation has been used or revoked, or has expired. Ask the person who sent it for a new one.',
  },
  'reset-link-refused': { status: 403, text: 'This link has already been used or has expired. Ask for a new one.' },
  'second-factor-needed': { status: 403, text: 'Enter the code from your authenticator app.' },
  'sign-in-expired': { status: 403, text: 'This sign-in has expired. Enter your password again.' },
  'passkey-refused': { status: 403, text: 'This passkey didn’t work. Try again, or use your password.' },
  'passkey-unknown': {
    status: 403,
    text: 'This passkey isn’t registered here any more. Sign in another way, and remove it from your password manager.',
  },
  'proof-needed': { status: 403, text: 'Confirm that it’s you, then try again.' },
  'second-factor-required': {
    status: 403,
    text: 'Administrators of this Keeper need two factors. Turn on codes or add a passkey under Profile, then try again.',
  },
  'sign-in-refused': { status: 403, text: 'The identity provider didn’t sign you in.' },
  'account-deactivated': { status: 403, text: 'This account is deactivated. Ask your administrator.' },
  'not-found': { status: 404, text: 'Nothing here, or it isn’t shared with you.' },
  'request-timeout': {
    status: 408,
    text: 'Your request didn’t arrive in time, so nothing was changed. Check your connection and try again.',
  },
  conflict: { status: 409, text: 'This has changed since you opened it. Reload and try again.' },
  stale: {
    status: 409,
    text: 'Someone saved a newer version while you were editing. Both are kept: compare them and save again.',
  },
  'slug-taken': { status: 409, text: 'This slug is taken. Choose another one.' },
  'email-taken': { status: 409, text: 'There is already an account with this email. Sign in instead.' },
  'answers-changed': {
    status: 409,
    text: 'With this memory, some golden questions no longer get the expected answers. Nothing was approved. Compare the answers and approve again.',
  },
  'agent-not-ready': { status: 409, text: 'This agent isn’t ready. Set its status to ready before you run it.' },
  'too-large': { status: 413, text: 'That’s larger than Keeper accepts here.' },
  'wrong-content-type': { status: 415, text: 'Send JSON with "Content-Type: application/json".' },
  'wrong-host': { status: 421, text: 'This server doesn’t answer for that host name.' },
  unprocessable: { status: 422, text: 'That can’t be done right now.' },
  'session-locked': { status: 423, text: 'Keeper is locked. Unlock it to continue.' },
  'context-too-long': {
    status: 422,
    text: 'The text is longer than this model can read. Shorten it or choose another model.',
  },
  'content-filter': { status: 422, text: 'The provider refused to answer this text.' },
  'too-many': { status: 429, text: 'Too many attempts in a short time. Wait a moment and try again.' },
  'over-budget': {
    status: 429,
    text: 'This budget is spent, so nothing was sent. It resets with the next period.',
  },
  internal: {
    status: 500,
    text: 'Something failed on the server. Nothing you wrote is affected. Try again, or send the request ID to your administrator.',
  },
  'sign-in-unavailable': {
    status: 502,
    text: 'The identity provider can’t be reached right now. Try again in a moment.',
  },
  'provider-failed': { status: 502, text: 'The model provider failed.' },
  'shutting-down': { status: 503, text: 'The server is about to restart. Try again in a moment.' },
  restoring: {
    status: 503,
    text: 'A backup is being restored. Keeper will be back in a few minutes. Sign in again then.',
  },
  'streams-full': {
    status: 503,
    text: 'Too many people are connected to this server right now, so nothing was sent. Try again in a moment.',
  },
  'database-busy': { status: 503, text: 'The database is busy. Try again in a moment.' },
  'media-unavailable': {
    status: 503,
    text: 'Pictures and recordings are unavailable right now, so nothing was changed. Try again in a moment.',
  },
  'provider-timeout': { status: 504, text: 'The model provider took too long.' },
  'storage-full': { status: 507, text: 'The server’s disk is full, so nothing was changed.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ProblemCode = keyof typeof problems
