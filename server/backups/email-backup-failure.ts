import type { BackupProblem } from '#contract/administration/backups.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'

const maxEmails = 20

/** Emails the super-admins, who otherwise notice only when they need a backup. Failures are logged. */
export async function emailBackupFailure(
  services: Pick<Services, 'db' | 'mailer' | 'log' | 'settings'>,
  problem: BackupProblem,
): Promise<void> {
  const { db, mailer, log } = services
  if (!mailer.isSetUp) return
  const reason =
    problem === 'no-room'
      ? 'because the disk of the data folder has too little free space'
      : 'for a reason that is in the server’s log'
  try {
    const admins = await db
      .selectFrom('role_grants')
      .innerJoin('people', 'people.id', 'role_grants.person_id')
      .select('people.email')
      .where('role_grants.role', '=', 'super-admin')
      .where('people.deactivated_at', 'is', null)
      .orderBy('role_grants.granted_at')
      .limit(maxEmails)
      .execute()
    for (const { email } of admins)
      await mailer.send({
        to: email,
        subject: 'Keeper couldn’t make its scheduled backup',
        text: `The scheduled backup failed ${reason}. Keeper tries again in about six hours.

Existing backups and the attempts are under Backups: ${getPublicUrl(services)}/admin/backups`,
      })
  } catch (error) {
    log.warn({ err: error }, 'no one could be emailed about a failed backup')
  }
}
