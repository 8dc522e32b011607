import { toDisplayLine } from '#contract/one-line-text.ts'
import { classifyEmailFailure, isServerProblem } from '#server/email/email-failure.ts'
import { defangLinks } from '#server/http/links-in-names.ts'
import { countAttempts, readAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'

/** Longer than the interval between rounds, so that other people's emails are sent first. */
const initialWaitMs = 2 * 60_000
const maxWaitMs = 6 * hourMs
/** Because waits double up to `maxWaitMs`, this takes about two days. */
const maxAttempts = 16
const forgetAfterMs = dayMs

/** Postpones the emails of people whose last one failed, so that one bad mailbox doesn't hold up the others. */
class EmailBackoff {
  readonly #refusalByPerson = new Map<string, { attempts: number; until: number }>()
  readonly #failedPersonIds = new Set<string>()

  listWaitingPersonIds(now: number): string[] {
    for (const [personId, { until }] of this.#refusalByPerson)
      if (until + forgetAfterMs < now) this.#refusalByPerson.delete(personId)
    return [
      ...this.#failedPersonIds,
      ...[...this.#refusalByPerson].filter(([, { until }]) => until > now).map(([personId]) => personId),
    ]
  }

  /** @returns whether emails of the last round still wait because the mail server failed */
  startNewRound(): boolean {
    const hadWaiting = this.#failedPersonIds.size > 0
    this.#failedPersonIds.clear()
    return hadWaiting
  }

  /** A failure of the mail server itself doesn't count as an attempt. */
  recordConnectionFailure(personId: string): void {
    this.#failedPersonIds.add(personId)
  }

  /** @returns whether to try again */
  recordRefusal(personId: string, now: number): boolean {
    const attempts = (this.#refusalByPerson.get(personId)?.attempts ?? 0) + 1
    this.#refusalByPerson.set(personId, {
      attempts,
      until: now + Math.min(initialWaitMs * 2 ** (attempts - 1), maxWaitMs),
    })
    return attempts < maxAttempts
  }

  recordSuccess(personId: string): void {
    this.#refusalByPerson.delete(personId)
  }
}

const backoffByMailer = new WeakMap<Services['mailer'], EmailBackoff>()

function getEmailBackoff({ mailer }: Services): EmailBackoff {
  const existing = backoffByMailer.get(mailer) ?? new EmailBackoff()
  backoffByMailer.set(mailer, existing)
  return existing
}

const batchSize = 50
/** Account addresses are unverified; this prevents flooding someone else's mailbox. */
const emailLimit = { kind: 'echo-mails', limit: 100, windowMs: dayMs }

/** Claims each echo by revision, so that concurrent processes and edits are safe. Sealed texts stay out of emails, and
 * all texts out of the log. @param signal stops after the current email */
export async function emailReadyEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  if (!services.mailer.isSetUp) return
  const { db, log, now } = services
  const backoff = getEmailBackoff(services)
  let readyEchoes = await loadReadyEchoes(services, backoff.listWaitingPersonIds(now().getTime()))
  if (readyEchoes.length === 0 && backoff.startNewRound())
    readyEchoes = await loadReadyEchoes(services, backoff.listWaitingPersonIds(now().getTime()))
  const skippedOwners = new Set<string>()
  for (const echo of readyEchoes) {
    if (signal?.aborted) return
    if (skippedOwners.has(echo.owner_id)) continue
    const claimedAt = now().getTime()
    const claimed = await db.write(
      db
        .updateTable('echoes')
        .set({ mailed_at: claimedAt })
        .where('id', '=', echo.id)
        .where('rev', '=', echo.rev)
        .where('ready_at', 'is not', null)
        .where('mailed_at', 'is', null)
        .where('delivered_at', 'is', null)
        .where('deleted_at', 'is', null),
    )
    if (claimed.changes === 0) continue
    if ((await readAttempts(services, emailLimit, echo.owner_id)).count >= emailLimit.limit) continue
    try {
      await services.mailer.send({ to: echo.email, ...createEmail(services, echo) })
      services.metrics?.countEmail('echo', 'sent')
      backoff.recordSuccess(echo.owner_id)
      await countAttempts(services, emailLimit, echo.owner_id)
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      const problem = classifyEmailFailure(error)
      const isServerError = isServerProblem(problem)
      services.metrics?.countEmail('echo', isServerError ? 'server-failed' : 'refused')
      const isPermanent = problem === 'address-refused'
      const mayRetry = isServerError || (!isPermanent && backoff.recordRefusal(echo.owner_id, claimedAt))
      // The rules may concern the sender, which an administrator can correct.
      const willRetry = mayRetry || problem === 'refused-by-policy'
      log.error(
        { echoId: echo.id, problem, code, responseCode, again: willRetry },
        'could not send the email of a ready echo',
      )
      if (willRetry) {
        const releaseWrite = db.updateTable('echoes').set({ mailed_at: null }).where('id', '=', echo.id)
        await releaseWrite.where('mailed_at', '=', claimedAt).execute()
      }
      if (isServerError) return backoff.recordConnectionFailure(echo.owner_id)
      if (!isPermanent) skippedOwners.add(echo.owner_id)
    }
  }
}

function loadReadyEchoes({ db }: Services, excludedOwners: readonly string[]) {
  return db
    .selectFrom('echoes')
    .innerJoin('keepers', 'keepers.id', 'echoes.keeper_id')
    .innerJoin('people', 'people.id', 'echoes.owner_id')
    .select(['echoes.id', 'echoes.rev', 'echoes.keeper_id', 'echoes.owner_id', 'message', 'sealed', 'ready_because'])
    .select(['title', 'email'])
    .where('ready_at', 'is not', null)
    .where('mailed_at', 'is', null)
    .where('delivered_at', 'is', null)
    .where('echoes.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .$if(excludedOwners.length > 0, (query) => query.where('echoes.owner_id', 'not in', excludedOwners))
    .orderBy('ready_at')
    .limit(batchSize)
    .execute()
}

function createEmail(
  services: Services,
  echo: { keeper_id: string; title: string; message: string; sealed: boolean; ready_because: string | null },
): { subject: string; text: string } {
  const body = echo.sealed ? 'This echo is sealed. Open it in your keeper.' : defangLinks(echo.message)
  const url = `${getPublicUrl(services)}/keeper/${echo.keeper_id}/echo-writer`
  const title = defangLinks(toDisplayLine(echo.title))
  // The reason can contain the name of a topic or journey.
  const reason = defangLinks(toDisplayLine(echo.ready_because ?? ''))
  return {
    subject: `An echo is ready in ${title}`,
    text: [`An echo you wrote in ${title} is ready. ${reason}`.trim(), body, url].join('\n\n'),
  }
}
