import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { agents } from '#contract/agents/agents.ts'
import { versions } from '#contract/agents/versions.ts'
import { boards } from '#contract/boards/boards.ts'
import { people } from '#contract/domains/people.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { keys } from '#contract/keys/keys.ts'
import { storeRecording } from '#server/media/store-recording.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { canaryKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.each(engines)('downloading an account, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  async function downloadArchive(actor: Actor) {
    await app.services.db.deleteFrom('throttle_windows').execute()
    const response = await actor.fetch('/api/kam/auth/download')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toMatch(/keeper-account-\d{4}-\d\d-\d\d\.zip/)
    const bytes = Buffer.from(await response.arrayBuffer())
    const files = await unzip(bytes)
    const readJson = (name: string) => JSON.parse(String(files.get(name)))
    return { bytes, files, readJson, names: [...files.keys()] }
  }
  const hashEntries = (archive: { keepers: { title: string; contentHash: string }[] }) =>
    archive.keepers.map(({ title, contentHash }) => `${title} ${contentHash}`).toSorted()

  it("contains Ada's account, agents, chats, runs and keepers, nothing of Ben's", async () => {
    const { id } = await createTestKeeper(ada, { title: 'Chats' })
    const upload = await ada.fetch(`/api/keeper/keepers/${id}/media?name=buns.png&alt=Buns`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(png),
    })
    const picture = ((await upload.json()) as { data: { id: string } }).data
    await ada.call(moments.create, { params: { id }, body: { body: 'First frost.', mediaIds: [picture.id] } })
    await ada.call(reflections.create, { params: { id }, body: { content: 'The gate does not shut.' } })
    await createTestKeeper(ada, { title: 'Second' })
    const agent = (
      await ada.call(agents.create, { body: { name: 'Harbour Hand', purpose: 'p', memory_enabled: true } })
    ).data
    await ada.call(agents.update, { body: { id: agent.id, purpose: 'Another purpose.' } })
    const run = (await ada.call(agents.run, { body: { agentId: agent.id, input: 'Good evening, harbour.' } })).data
    const recording = { runId: run.run_id, personId: ada.id, visitorId: null, mime: 'audio/mpeg' }
    await storeRecording(app.services, { id: 'sound', ...recording, bytes: Buffer.from('sound') })
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    await ada.call(agents.create, { body: { name: 'Never Changed', purpose: 'As it was made.' } })
    const bensAgent = (
      await ben.call(agents.create, { body: { name: 'Bens Own', purpose: 'canary-of-ben', memory_enabled: true } })
    ).data
    await ben.call(agents.run, { body: { agentId: bensAgent.id, input: 'canary-of-ben' } })
    await createTestKeeper(ben, { title: 'canary-of-ben' })
    await ben.call(keys.savePersonal, { body: { provider: 'anthropic', apiKey: canaryKeys.anthropic } })
    await ben.call(keeperTypes.create, { body: { name: 'canary-of-ben type' } })
    const { data: board } = await ben.call(boards.create, { body: { name: 'canary-of-ben' } })
    const saved = await ben.call(boards.saveTemplate, { body: { boardId: board.id, name: 'canary-of-ben' } })
    expect(saved.status, saved.text).toBe(200)
    const cleo = await app.as('cleo')
    await insertDomain(app, cleo, [[ben, 'friend']], 'canary-of-ben’s friends')

    const { files, readJson, names } = await downloadArchive(ada)
    const account = readJson('account.json')
    expect(account).toMatchObject({
      format: 'keeper-account',
      profile: { id: ada.id, email: 'ada@willowbrook.example', name: 'Ada Lindqvist', deletesAt: null },
      settings: { providerKeys: [{ provider: 'openai', masked: expect.stringContaining('•') }] },
      sessions: [{ current: true }],
      domains: [{ isPrimary: true }],
    })
    const auditEntries = account.audit.map(({ action }: { action: string }) => action)
    expect(auditEntries).toContain('account-registered')
    expect(auditEntries).toContain('account-downloaded')
    expect(new Set(account.audit.map(({ by }: { by: string }) => by))).toEqual(new Set(['you']))
    expect(account.settings.providerKeys).toHaveLength(1)
    expect(account.memberships).toEqual([])
    const file = readJson('agents/harbour-hand.agent.json')
    expect(file.versions.map(({ snapshot }: { snapshot: { purpose: string } }) => snapshot.purpose)).toEqual([
      'p',
      'Another purpose.',
    ])
    expect(readJson('agents/never-changed.agent.json').versions).toEqual([
      {
        version: 1,
        origin: 'created',
        restored_version: null,
        snapshot: expect.objectContaining({ purpose: 'As it was made.' }),
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    const chats = names.filter((name) => name.startsWith('chats/'))
    expect(chats.map((name) => name.split('.').at(-1))).toEqual(['md', 'json'])
    for (const name of chats) expect(String(files.get(name))).toContain('Good evening, harbour.')
    expect(readJson('runs.json')).toMatchObject([{ id: run.run_id, agent_slug: 'harbour-hand', status: 'success' }])
    expect(readJson('runs.json')[0]).not.toHaveProperty('input')
    expect(files.get(`recordings/${run.run_id}.mp3`)?.toString()).toBe('sound')
    expect(names).toEqual(expect.arrayContaining(['README.txt', 'studio.json', 'keeper.json', 'chats-2/moments.md']))
    expect(names.some((name) => name.startsWith('media/'))).toBe(true)

    const { password_hash } = await app.services.db
      .selectFrom('people')
      .select('password_hash')
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()
    const sealed = await app.services.db.selectFrom('provider_keys').select('sealed').executeTakeFirstOrThrow()
    const tokens = await app.services.db.selectFrom('sessions').select('token_hash').execute()
    const exportedText = [...files.values()].map(String).join('\n')
    for (const hidden of [
      canaryKeys.openai,
      sealed.sealed,
      password_hash,
      ada.token ?? '-',
      ...tokens.map(({ token_hash }) => token_hash),
    ])
      expect(exportedText).not.toContain(hidden)
    expect(exportedText).not.toContain('canary-of-ben')
    expect(exportedText).not.toContain(ben.id)

    const bensAccount = (await downloadArchive(ben)).readJson('account.json')
    expect(bensAccount).toMatchObject({
      profile: { id: ben.id, email: cast.ben.email },
      settings: { providerKeys: [{ provider: 'anthropic' }] },
      memberships: [{ name: 'canary-of-ben’s friends', role: 'friend' }],
    })
  })

  it('contains the keepers as an export does, and Ben can import them', async () => {
    const { bytes, readJson } = await downloadArchive(ada)
    const exportFiles = await unzip(Buffer.from(await (await ada.fetch('/api/keeper/export')).arrayBuffer()))
    expect(hashEntries(readJson('keeper.json'))).toEqual(
      hashEntries(JSON.parse(String(exportFiles.get('keeper.json')))),
    )
    await app.services.db.deleteFrom('keepers').where('owner_id', '=', ben.id).execute()
    const response = await ben.fetch('/api/keeper/imports?fileName=account.zip', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(bytes),
    })
    const jobId = ((await response.json()) as { data: { id: string } }).data.id
    const waitForState = (state: string) =>
      eventually(async () => expect((await ben.call(transfer.show, { params: { jobId } })).data.state).toBe(state))
    await waitForState('previewed')
    await ben.call(transfer.begin, { params: { jobId }, body: {} })
    await waitForState('done')
    const imported = await downloadArchive(ben)
    expect(hashEntries(imported.readJson('keeper.json'))).toEqual(hashEntries(readJson('keeper.json')))
  })

  it('contains the agents, too', async () => {
    const { readJson } = await downloadArchive(ada)
    const file = readJson('agents/harbour-hand.agent.json')
    const { status, data } = await ben.call(versions.importFile, {
      body: { file: { ...file, agent: { ...file.agent, slug: 'hand-of-ben' } } },
    })
    expect({ status, purpose: data.purpose }).toEqual({ status: 200, purpose: 'Another purpose.' })
  })

  it('is limited to five an hour, and every one is audited', async () => {
    await app.services.db.deleteFrom('throttle_windows').execute()
    const count = async () =>
      (
        await app.services.db
          .selectFrom('audit_events')
          .select('id')
          .where('action', '=', 'account-downloaded')
          .execute()
      ).length
    const previous = await count()
    for (let time = 0; time < 5; time++) {
      const response = await ben.fetch('/api/kam/auth/download')
      await response.arrayBuffer()
      expect(response.status).toBe(200)
    }
    const refused = await ben.call(ownAccount.download)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await count()).toBe(previous + 5)
    const adasResponse = await ada.fetch('/api/kam/auth/download')
    await adasResponse.arrayBuffer()
    expect(adasResponse.status).toBe(200)
  })

  it('the download of an empty account is a valid zip', async () => {
    const { readJson, names } = await downloadArchive(await app.as('dot'))
    expect(readJson('keeper.json').keepers).toEqual([])
    expect(readJson('runs.json')).toEqual([])
    expect(names.filter((name) => /^(agents|chats|recordings)\//.test(name))).toEqual([])
  })

  it("contains one's notes on members, and no one's notes about oneself", async () => {
    const [cleo, dot] = [await app.as('cleo'), await app.as('dot')]
    const id = await insertDomain(app, cleo, [[dot, 'connection']], 'Choir')
    const { id: keeperId } = await createTestKeeper(cleo)
    const journey = (await cleo.call(journeys.create, { params: { id: keeperId }, body: { title: 'Tides' } })).data
    const share = { params: { id, journeyId: journey.id }, body: { roles: ['admin' as const] } }
    expect((await cleo.call(sharingInDomains.shareJourney, share)).status).toBe(200)
    const about = { params: { id: `${id}.${dot.id}` }, body: { note: 'Sings alto.', journeyIds: [journey.id] } }
    expect((await cleo.call(people.update, about)).status).toBe(200)

    const account = (await downloadArchive(cleo)).readJson('account.json')
    const choir = account.domains.find(({ name }: { name: string }) => name === 'Choir')
    expect(choir.notesOnMembers).toEqual([{ about: cast.dot.name, note: 'Sings alto.' }])
    const auditEntries = account.audit.map(({ action }: { action: string }) => action)
    expect(auditEntries).toEqual(expect.arrayContaining(['person-noted', 'person-put-on-journey']))
    const dotsAccount = String((await downloadArchive(dot)).files.get('account.json'))
    expect(dotsAccount).toContain('Choir')
    expect(dotsAccount).toContain('account-downloaded')
    for (const hidden of ['Sings alto.', 'person-', journey.id]) expect(dotsAccount).not.toContain(hidden)
  })
})
