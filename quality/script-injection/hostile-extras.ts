import { agents } from '../../contract/agents/agents.ts'
import { boards } from '../../contract/boards/boards.ts'
import { type FrameType, frameTypeNames } from '../../contract/boards/frame-types.ts'
import { sharingInDomains } from '../../contract/domains/sharing-in-domains.ts'
import { journeys } from '../../contract/keepers/journeys.ts'
import { keeperTypes } from '../../contract/keepers/keeper-types.ts'
import { keeperMedia } from '../../contract/keepers/media.ts'
import { moments } from '../../contract/keepers/moments.ts'
import { sole } from '../../contract/keepers/sole.ts'
import { transfer } from '../../contract/keepers/transfer.ts'
import { createFrameInput } from '../../tests/frame-input.ts'
import type { FillOutcome } from './fill.ts'
import type { HostileWorld } from './hostile-world.ts'
import { payloads, withMark } from './payloads.ts'

/** Texts that don't come from a call's field; numbered after those. */
export const otherTexts = [
  'an agent’s answer',
  'a streamed answer on the page',
  'the SOLE of a keeper',
  'media_card title',
  'media_card caption',
  'media_card alt',
  'preview html',
  'code_snippet code',
  'process_frame step',
  'agent_preview input',
  'a frame of an unknown type',
  'the name of an uploaded file',
  'the description of an uploaded file',
  'the file name of an archive',
  'the name of a document',
  'the text of a document',
  'an address',
] as const
export type OtherText = (typeof otherTexts)[number]

export const joinPayloads = (numbers: number[], field: number) =>
  numbers.map((payloadNumber) => withMark(payloadNumber, field)).join('\n\n')

export interface PageContent {
  names: Record<string, string>
  boardIds: string[]
  storyJourneyId: string
}

export async function fillExtras(
  { world, setAnswer }: HostileWorld,
  outcome: FillOutcome,
  numbers: number[],
  getTextNumber: (name: OtherText) => number,
): Promise<PageContent> {
  // No field accepts U+0000, so it would make the server refuse the whole shared text.
  const storableNumbers = numbers.filter((payloadNumber) => !withMark(payloadNumber, 0).includes('\u0000'))
  const markStored = (name: OtherText, numbersToStore = storableNumbers) => {
    for (const payloadNumber of numbersToStore) outcome.stored.add(`${payloadNumber} ${getTextNumber(name)}`)
    return numbersToStore
  }
  const getAllPayloads = (name: OtherText) => joinPayloads(markStored(name), getTextNumber(name))
  const getShortPayload = (name: OtherText, maxLength: number) => {
    const shortPayload = storableNumbers.find(
      (payloadNumber) => withMark(payloadNumber, getTextNumber(name)).length <= maxLength,
    )
    return shortPayload === undefined
      ? 'Plain'
      : withMark(markStored(name, [shortPayload])[0] ?? 0, getTextNumber(name))
  }
  const [id, lead, domainId] = [await world.createKeeper(), await world.createPrivateLead(), await world.createDomain()]
  setAnswer(getAllPayloads('an agent’s answer'))
  const run = await world.asAda(agents.run, { body: { agentId: lead.id, input: 'What of the harbour?' } })
  await world.asAda(keeperTypes.assign, { params: { agentId: lead.id, keeperTypeId: 'system-journal' } })

  const bytes = { mime: 'text/plain', data: new TextEncoder().encode('A note.') }
  const query = {
    name: getShortPayload('the name of an uploaded file', 250),
    alt: getAllPayloads('the description of an uploaded file').slice(0, 900),
  }
  const media = await world.asAda(keeperMedia.upload, { params: { id }, query, bytes })
  await world.asAda(moments.create, { params: { id }, body: { body: 'With a file.', mediaIds: [media.id] } })
  await world
    .asAda(transfer.upload, {
      query: { fileName: getShortPayload('the file name of an archive', 200) },
      bytes: { mime: 'application/zip', data: await world.createArchive() },
    })
    .catch(() => undefined)

  const contents: Partial<Record<FrameType, Record<string, unknown>>> = {
    media_card: {
      mediaId: null,
      title: getShortPayload('media_card title', 200),
      caption: getShortPayload('media_card caption', 2000),
      alt: getShortPayload('media_card alt', 1000),
      fit: 'cover',
    },
    preview: { kind: 'page', entity: null, entityId: null, html: getAllPayloads('preview html').slice(0, 20_000) },
    code_snippet: { code: getAllPayloads('code_snippet code').slice(0, 20_000), language: 'html' },
    process_frame: { steps: [{ id: 'a', title: getShortPayload('process_frame step', 200), state: 'todo' }] },
    agent_preview: { agentId: lead.id, input: getAllPayloads('agent_preview input').slice(0, 4000), runId: run.run_id },
  }
  const frames = frameTypeNames.map((type, index) =>
    createFrameInput(type, {
      slug: `f-${index}`,
      name: `Frame ${index}`,
      x: (index % 4) * 380,
      y: Math.floor(index / 4) * 300,
      ...(contents[type] && { content: contents[type] }),
    }),
  )
  const unknownFrame = createFrameInput('strange', {
    slug: 'strange',
    content: { html: getShortPayload('a frame of an unknown type', 2000) },
  })
  const board = await world.asAda(boards.create, { body: { name: 'All kinds of frames' } })
  await world.asAda(boards.save, { params: { id: board.id }, body: { frames: [...frames, unknownFrame] } })

  const getLastParams = (call: string) => outcome.params.get(call)?.at(-1)
  const journeyId = getLastParams('journeys.update')?.id ?? ''
  const sharing = { parts: ['moments', 'journeys', 'logbook', 'sole'] as const, roles: ['friend', 'admin'] as const }
  await world.asAda(sharingInDomains.shareKeeper, {
    params: { id: domainId, keeperId: id },
    body: { parts: [...sharing.parts], roles: [...sharing.roles] },
  })
  await world.asAda(sharingInDomains.shareJourney, {
    params: { id: domainId, journeyId },
    body: { roles: [...sharing.roles] },
  })
  for (const params of outcome.params.get('journeys.update') ?? [])
    await world.asAda(journeys.show, { params: { id: params.id ?? '' } })
  const { db } = world.app.services
  await db.updateTable('sole_versions').set({ status: 'rejected' }).where('status', '=', 'draft').execute()
  for (const number of numbers.slice(0, 2)) {
    const field = getTextNumber('the SOLE of a keeper')
    await world.asAda(sole.submitDraft, { params: { id }, body: { content: withMark(number, field) } })
    markStored('the SOLE of a keeper', [number])
    if (number === numbers[0]) await world.asAda(sole.approve, { params: { id }, body: {} })
  }
  return {
    names: {
      id,
      keeperId: id,
      journeyId,
      domainId,
      agentId: lead.id,
      agentSlug: lead.slug,
      run: run.run_id,
      '*': 'nothing/is/here',
    },
    boardIds: [board.id, getLastParams('boards.save')?.id ?? '', getLastParams('boardLive.changes')?.id ?? ''].filter(
      Boolean,
    ),
    storyJourneyId: journeyId,
  }
}

export const payloadNumbers = payloads.map((_, index) => index)
