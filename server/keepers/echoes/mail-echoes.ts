import { showOneLine } from '#contract/one-line-text.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { withoutLinks } from '#server/http/links-in-names.ts'
import { countTry, triesSoFar } from '#server/http/throttle.ts'
import { ownAddress } from '#server/own-address.ts'
import type { Services } from '#server/services.ts'
import { mailBackoff } from './mail-backoff.ts'

const mostAtOnce = 50
/** Account addresses are unverified; this limits abuse for filling someone's mailbox. */
const mailsPerDay = { kind: 'echo-mails', limit: 100, windowMs: dayMs }

/**
 * Emails ready echoes once each, claimed by revision so that concurrent processes and edits are safe. Temporary
 * failures are retried. Sealed texts stay out of emails, and all texts out of the log.
 * @param signal stops after the current email
 */
export async function mailReadyEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  if (!services.mailer.isSetUp) return
  const { db, log, now } = services
  const patience = mailBackoff(services)
  let ready = await readyEchoes(services, patience.waiting(now().getTime()))
  if (ready.length === 0 && patience.newTurn()) ready = await readyEchoes(services, patience.waiting(now().getTime()))
  const passedOver = new Set<string>()
  for (const echo of ready) {
    if (signal?.aborted) return
    if (passedOver.has(echo.owner_id)) continue
    const claim = now().getTime()
    const claimed = await db.write(
      db
        .updateTable('echoes')
        .set({ mailed_at: claim })
        .where('id', '=', echo.id)
        .where('rev', '=', echo.rev)
        .where('ready_at', 'is not', null)
        .where('mailed_at', 'is', null)
        .where('delivered_at', 'is', null)
        .where('deleted_at', 'is', null),
    )
    if (claimed.changes === 0) continue
    // Above the limit the echo stays ready in its keeper, without an email.
    if ((await triesSoFar(services, mailsPerDay, echo.owner_id)).count >= mailsPerDay.limit) continue
    try {
      await services.mailer.send({ to: echo.email, ...letter(services, echo) })
      patience.taken(echo.owner_id)
      await countTry(services, mailsPerDay, echo.owner_id)
    } catch (error) {
      const failure = error as MailFailure
      const { code, responseCode } = failure
      const ofServer = isOfServer(failure)
      const mayPass = !ofServer && !isForGood(failure)
      const again = ofServer || (mayPass && patience.refused(echo.owner_id, claim))
      log.error({ echoId: echo.id, code, responseCode, again }, 'could not send the email of a ready echo')
      if (again) {
        const release = db.updateTable('echoes').set({ mailed_at: null }).where('id', '=', echo.id)
        await release.where('mailed_at', '=', claim).execute()
      }
      // The next email would fail as well.
      if (ofServer) return patience.connectionBroke(echo.owner_id)
      if (mayPass) passedOver.add(echo.owner_id)
    }
  }
}

function readyEchoes({ db }: Services, without: readonly string[]) {
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
    .$if(without.length > 0, (some) => some.where('echoes.owner_id', 'not in', without))
    .orderBy('ready_at')
    .limit(mostAtOnce)
    .execute()
}

interface MailFailure {
  code?: string
  responseCode?: number
}

/** A connection or sign-in failure; failures of one email come after the server's answer to it. */
function isOfServer({ code, responseCode }: MailFailure): boolean {
  return responseCode === 421 || (code !== undefined && code !== 'EENVELOPE' && code !== 'EMESSAGE')
}

/** An envelope that was never offered has an invalid address. */
function isForGood({ code, responseCode }: MailFailure): boolean {
  return responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500
}

function letter(
  services: Services,
  echo: { keeper_id: string; title: string; message: string; sealed: boolean; ready_because: string | null },
): { subject: string; text: string } {
  const body = echo.sealed ? 'This echo is sealed. Open it in your keeper.' : withoutLinks(echo.message)
  const address = `${ownAddress(services)}/keeper/${echo.keeper_id}/echo-writer`
  const title = withoutLinks(showOneLine(echo.title))
  // It can contain the name of a topic or journey.
  const because = withoutLinks(showOneLine(echo.ready_because ?? ''))
  return {
    subject: `An echo is ready in ${title}`,
    text: [`An echo you wrote in ${title} is ready. ${because}`.trim(), body, address].join('\n\n'),
  }
}
