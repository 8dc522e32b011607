import { showOneLine } from '#contract/one-line-text.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { withoutLinks } from '#server/http/links-in-names.ts'
import { countTry, triesSoFar } from '#server/http/throttle.ts'
import { ownAddress } from '#server/own-address.ts'
import type { Services } from '#server/services.ts'
import { mailBackoff } from './mail-backoff.ts'

const mostAtOnce = 50
/** The address of an account was never checked, so nobody's mailbox is filled by way of one. */
const mailsPerDay = { kind: 'echo-mails', limit: 100, windowMs: dayMs }

/**
 * Tells by mail of echoes that are ready, each once: it is claimed as it was read before it is sent, so that of two
 * processes one sends it, and none what was sealed or put off meanwhile. A mail that could not be handed over is tried
 * again; one that the mail server refused for good is not.
 * The text of a sealed echo stays out of it, and no text enters the log.
 * @param signal ends it after the mail that is on its way
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
    // Past the limit it stays ready in its keeper, and is not mailed later.
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
      log.error({ echoId: echo.id, code, responseCode, again }, 'the mail of a ready echo could not be sent')
      if (again) {
        const release = db.updateTable('echoes').set({ mailed_at: null }).where('id', '=', echo.id)
        await release.where('mailed_at', '=', claim).execute()
      }
      // The next mail would meet the same.
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

/** As nodemailer says it: what the mail server answered, or in which step it came to no answer. */
interface MailFailure {
  code?: string
  responseCode?: number
}

/** It is about the connection or the sign-in, not about one mail: these come to the server's answer to an envelope or a text. */
function isOfServer({ code, responseCode }: MailFailure): boolean {
  return responseCode === 421 || (code !== undefined && code !== 'EENVELOPE' && code !== 'EMESSAGE')
}

/** An envelope that was not even offered has an address that is none. */
function isForGood({ code, responseCode }: MailFailure): boolean {
  return responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500
}

function letter(
  services: Services,
  echo: { keeper_id: string; title: string; message: string; sealed: boolean; ready_because: string | null },
): { subject: string; text: string } {
  const body = echo.sealed ? 'You sealed it: open it in your keeper.' : withoutLinks(echo.message)
  const address = `${ownAddress(services)}/keeper/${echo.keeper_id}/echo-writer`
  const title = withoutLinks(showOneLine(echo.title))
  // It names a topic or a journey.
  const because = withoutLinks(showOneLine(echo.ready_because ?? ''))
  return {
    subject: `An echo is ready in ${title}`,
    text: [`An echo you wrote in ${title} is ready. ${because}`.trim(), body, address].join('\n\n'),
  }
}
