import type { Invitation } from '#contract/domains/invitations.ts'

/** Whether the link that was made for this invitation works, as far as the list of invitations says by now. */
export function isStillOpen({ id, sentAt }: Pick<Invitation, 'id' | 'sentAt'>, list: readonly Invitation[]): boolean {
  const now = list.find((each) => each.id === id)
  // A list of before knows nothing of it yet.
  return !now || now.sentAt < sentAt || (now.sentAt === sentAt && now.state === 'open')
}
