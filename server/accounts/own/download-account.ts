import type { ZipFile } from 'yazl'
import { toSlug } from '#contract/agents/agent-slug.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { streamBoardArchive } from '#server/boards/files/export-file.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import {
  addKeepers,
  addLazyFile,
  addLazyText,
  listKeepersToExport,
  reserveName,
  streamZip,
} from '#server/keepers/transfer/export-keepers.ts'
import type { Services } from '#server/services.ts'
import { formatMinutes, hourMs } from '#server/values/time-units.ts'
import {
  streamAccount,
  streamAgent,
  streamChat,
  streamChatMarkdown,
  streamJsonList,
  streamRuns,
  streamStudio,
} from './archived-account.ts'

const downloadThrottle = { kind: 'account-download', limit: 5, windowMs: hourMs }

const readMeText = `Everything in one Keeper account, as of the time of this download.

account.json     your profile, your sessions, your domains with your notes on their members, and your audit log
keeper.json      your keepers; this zip can be imported again as it is
<keeper>/, media/  the same keepers as Markdown, with their pictures and recordings
agents/          your agents with every version; each can be imported again
chats/           your chats, as Markdown and as JSON
recordings/      answers your agents spoke
runs.json        your agent runs, with their times and costs
boards/          your boards with their pictures; each can be imported again in Board Studio
studio.json      types, templates, patterns, classes, themes and board templates you created

Not included: deleted entries, earlier versions of changed entries, passwords, sign-in tokens and provider keys. The
texts of sealed echoes are base64-encoded in keeper.json, so that they are kept but can’t be read at a glance.
`

/** Streams everything a person has as a zip. @throws Problem 429 after five in an hour */
export async function downloadAccount(services: Services, person: Person): Promise<Response> {
  const { db } = services
  await requireAttempt(services, downloadThrottle, person.id, (waitSeconds) => {
    const wait = formatMinutes(Math.ceil(waitSeconds / 60))
    return `You’ve downloaded everything five times in an hour. Try again in ${wait}.`
  })
  await db.write(insertAudit(services, { action: 'account-downloaded', actor: person, personId: person.id }))
  return streamZip(services, `keeper-account-${services.now().toISOString().slice(0, 10)}.zip`, async (zip) => {
    zip.addBuffer(Buffer.from(readMeText), 'README.txt')
    addLazyText(zip, 'account.json', () => streamAccount(services, person))
    const folders = new Set(['agents', 'boards', 'chats', 'recordings', 'media'])
    await addKeepers(services, zip, await listKeepersToExport(services, person), folders)
    await addAgents(services, zip, person)
    await addBoards(services, zip, person)
    await addChats(services, zip, person)
    addLazyText(zip, 'runs.json', () => streamJsonList(streamRuns(services, person)))
    addLazyText(zip, 'studio.json', () => streamStudio(services, person))
    await addRecordings(services, zip, person)
  })
}

async function addAgents(services: Services, zip: ZipFile, person: Person): Promise<void> {
  const agents = await services.db
    .selectFrom('agents')
    .select(['id', 'slug'])
    .where('owner_id', '=', person.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const { id, slug } of agents) addLazyText(zip, `agents/${slug}.agent.json`, () => streamAgent(services, id))
}

async function addBoards(services: Services, zip: ZipFile, person: Person): Promise<void> {
  const boards = await services.db
    .selectFrom('boards')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const takenNames = new Set<string>()
  for (const board of boards) {
    const name = reserveName(toSlug(board.name) || 'board', takenNames)
    addLazyText(zip, `boards/${name}.board.json`, () => streamBoardArchive(services, board))
  }
}

async function addChats(services: Services, zip: ZipFile, person: Person): Promise<void> {
  const chats = await services.db
    .selectFrom('chat_sessions')
    .innerJoin('agents', 'agents.id', 'chat_sessions.agent_id')
    .select(['chat_sessions.id', 'chat_sessions.name', 'agents.name as agent_name', 'agents.slug as agent_slug'])
    .select(['chat_sessions.created_at', 'chat_sessions.updated_at', 'chat_sessions.shown_message_id'])
    .where('chat_sessions.person_id', '=', person.id)
    .orderBy('chat_sessions.created_at')
    .orderBy('chat_sessions.id')
    .execute()
  const takenNames = new Set<string>()
  for (const chat of chats) {
    const day = new Date(chat.created_at).toISOString().slice(0, 10)
    const name = reserveName([day, toSlug(chat.name) || 'chat'].join('-'), takenNames)
    addLazyText(zip, `chats/${name}.md`, () => streamChatMarkdown(services, chat))
    addLazyText(zip, `chats/${name}.json`, () => streamChat(services, chat))
  }
}

async function addRecordings(services: Services, zip: ZipFile, person: Person): Promise<void> {
  const recordings = await services.db
    .selectFrom('media')
    .select(['run_id', 'sha256', 'mime'])
    .where('person_id', '=', person.id)
    .where('run_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const takenNames = new Set<string>()
  for (const { run_id, sha256, mime } of recordings) {
    const size = await services.media.getSize(sha256)
    if (size === undefined) continue
    const extension = mime === 'audio/mpeg' ? 'mp3' : (/^audio\/(\w+)/.exec(mime)?.[1] ?? 'audio')
    const name = `recordings/${reserveName(run_id ?? '', takenNames)}.${extension}`
    addLazyFile(zip, name, () => services.media.read(sha256, 0, size))
  }
}
