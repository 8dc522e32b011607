import type { Invitation } from '#contract/domains/invitations.ts'

/** Whether a newly created link still works, according to the (possibly older) list of invitations. */
export function isStillOpen({ id, sentAt }: Pick<Invitation, 'id' | 'sentAt'>, list: readonly Invitation[]): boolean {
  const now = list.find((invitation) => invitation.id === id)
  return !now || now.sentAt < sentAt || (now.sentAt === sentAt && now.state === 'open')
}
