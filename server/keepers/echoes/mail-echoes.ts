import { ownAddress } from '#server/own-address.ts'
import type { Services } from '#server/services.ts'

const mostAtOnce = 50

/**
 * Tells by mail of echoes that are ready, each once: it is claimed before it is sent, so that of two processes one sends
 * it. A mail that could not be handed over is tried again with the next sweep; one that the mail server refused is not.
 * The text of a sealed echo stays out of it, and no text enters the log.
 */
export async function mailReadyEchoes(services: Services): Promise<void> {
  if (!services.mailer.isSetUp) return
  const { db } = services
  const ready = await db
    .selectFrom('echoes')
    .innerJoin('keepers', 'keepers.id', 'echoes.keeper_id')
    .innerJoin('people', 'people.id', 'echoes.owner_id')
    .select(['echoes.id', 'echoes.keeper_id', 'message', 'sealed', 'ready_because', 'title', 'email'])
    .where('ready_at', 'is not', null)
    .where('mailed_at', 'is', null)
    .where('delivered_at', 'is', null)
    .where('echoes.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .orderBy('ready_at')
    .limit(mostAtOnce)
    .execute()
  for (const echo of ready) {
    const claim = services.now().getTime()
    const claimed = await db.write(
      db
        .updateTable('echoes')
        .set({ mailed_at: claim })
        .where('id', '=', echo.id)
        .where('mailed_at', 'is', null)
        .where('delivered_at', 'is', null)
        .where('deleted_at', 'is', null),
    )
    if (claimed.changes === 0) continue
    try {
      await services.mailer.send({ to: echo.email, ...letter(services, echo) })
    } catch (error) {
      const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
      services.log.error({ echoId: echo.id, code, responseCode }, 'the mail of a ready echo could not be sent')
      if (responseCode >= 500) continue
      const release = db.updateTable('echoes').set({ mailed_at: null }).where('id', '=', echo.id)
      await release.where('mailed_at', '=', claim).execute()
    }
  }
}

function letter(
  services: Services,
  echo: { keeper_id: string; title: string; message: string; sealed: boolean; ready_because: string | null },
): { subject: string; text: string } {
  const body = echo.sealed ? 'You sealed it: open it in your keeper.' : echo.message
  const address = `${ownAddress(services)}/keeper/${echo.keeper_id}/echo-writer`
  const title = echo.title.replace(/\s+/g, ' ')
  return {
    subject: `An echo is ready in ${title}`,
    text: [`An echo you wrote in ${title} is ready. ${echo.ready_because ?? ''}`.trim(), body, address].join('\n\n'),
  }
}
