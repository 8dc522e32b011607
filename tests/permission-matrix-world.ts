import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import type { ImportKind, ImportState } from '#contract/keepers/transfer.ts'
import { keys } from '#contract/keys/keys.ts'
import { createResetLink } from '#server/accounts/one-time-link.ts'
import { hashPassword } from '#server/accounts/password.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { type Engine, json } from '#server/db/database.ts'
import { storeRecording } from '#server/media/store-recording.ts'
import type { ModelRuntime } from '#server/models/run-model.ts'
import { cast } from './cast.ts'
import { createDomainWithMembers, getMemberRole, type MemberKind, memberKinds } from './permission-matrix-domains.ts'
import { canaryKeys, canaryPlatformKeys } from './provider-app.ts'
import { createTestApp, type TestApp, type TestAppOptions, toRequest } from './test-app.ts'

export const othersPassword = 'a-word-of-theirs-9'
/** Connected but unreachable: no request goes to this port. */
export const matrixToolServer = { name: 'notes', url: 'http://127.0.0.1:9/mcp' }
/** Part of all of Ada's private texts, to detect leaks. */
export const adaCanary = 'canary7of7ada'

/**
 * The inviter without consent added Ada to a domain and is a stranger to every call. The last three hold invalid
 * tokens and count as visitors.
 */
export const actorKinds = [
  'visitor',
  'stranger',
  'inviter without consent',
  'owner',
  ...memberKinds,
  ...platformRoles,
  'revoked token',
  'expired token',
  'deactivated',
] as const
export type ActorKind = (typeof actorKinds)[number]

/** Creates Ada's entities, new for each request, and all actors. */
export interface PermissionWorld {
  app: TestApp
  adaId: string
  /** A new bearer token for that actor; signing out is one of the calls. */
  createToken(kind: ActorKind): Promise<string | null>
  /** The actor's person id; undefined for a visitor. */
  getActorId(kind: ActorKind): string | undefined
  /** A new domain of Ada's with a member of each role. */
  createDomain(): Promise<string>
  /** The member with that role in all those domains. */
  getMemberId(kind: MemberKind): string
  /** Removes memberships that a call granted, so that a stranger stays one. */
  removeNewMembers(): Promise<void>
  createPrivateAgent(): Promise<string>
  createPrivateLead(): Promise<{ id: string; slug: string }>
  /** Visibility "shared", but with no one. */
  createSharedAgent(): Promise<string>
  /** Makes a call as Ada to create a sample. */
  asAda<E extends Endpoint>(endpoint: E, options: Parameters<typeof toRequest>[1]): Promise<EndpointOutput<E>>
  createKeeper(): Promise<string>
  createKeeperType(): Promise<string>
  /** A keeper type with an engagement template. */
  createLinkedTemplate(): Promise<{ id: string; templateId: string }>
  createMoment(): Promise<string>
  createReflection(): Promise<string>
  createCard(): Promise<string>
  createTrashedMoment(): Promise<string>
  /** An uploaded file that no entry uses. */
  createMedia(): Promise<string>
  /** An archive without keepers. */
  createArchive(): Promise<Uint8Array<ArrayBuffer>>
  /** An import with a preview. */
  createImportJob(kind?: ImportKind, state?: ImportState): Promise<string>
  /** A person without roles or memberships. */
  createUnprivilegedPerson(): Promise<string>
  /** A run that answered with a recording. */
  createSpokenRun(): Promise<string>
  createFinishedRun(): Promise<{ runId: string; sessionId: string; messageId: string }>
  /** A run in another process whose tool waits for Ada's decision. */
  createRunAwaitingDecision(): Promise<{ runId: string; callId: string }>
  createGoldenQuestion(): Promise<{ agentId: string; questionId: string }>
  createGoldenRun(): Promise<{ agentId: string; goldenRunId: string }>
  savePersonalKey(): Promise<void>
  savePlatformKey(): Promise<void>
  /** Resets Ada's password to the one in the cast. */
  restorePassword(): Promise<void>
  createResetToken(): Promise<string>
  createUniqueEmail(): string
}

export async function createPermissionWorld(
  engine: Engine,
  modelRuntime: Partial<ModelRuntime> = {},
  fixedServices?: TestAppOptions['fixedServices'],
): Promise<PermissionWorld> {
  const app = await createTestApp(engine, {
    environment: {
      KEEPER_REGISTRATIONS_PER_HOUR: '1000',
      KEEPER_FETCH_HOSTS: '127.0.0.1',
      KEEPER_MCP_SERVERS: JSON.stringify({ [matrixToolServer.name]: { url: matrixToolServer.url } }),
    },
    modelRuntime: { sleep: async () => {}, ...modelRuntime },
    ...(fixedServices && { fixedServices }),
  })
  const { services } = app
  const ada = await app.as('ada')
  const { password_hash } = await services.db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow()

  let sequence = 0
  const othersPasswordHash = await hashPassword(services, othersPassword)
  const createPerson = async (role: PlatformRole | null, isDeactivated = false) => {
    const id = services.newId()
    const email = `person${++sequence}@example.com`
    const now = services.now().getTime()
    const columns = { nickname: null, preferred_theme_id: null, created_at: now, last_sign_in_at: null }
    await services.db
      .insertInto('people')
      .values({
        id,
        email,
        email_folded: email,
        name: email,
        password_hash: othersPasswordHash,
        deactivated_at: isDeactivated ? now : null,
        ...columns,
      })
      .execute()
    if (role)
      await services.db
        .insertInto('role_grants')
        .values({ person_id: id, role, granted_at: now, granted_by: null })
        .execute()
    return id
  }
  const ids = new Map<ActorKind, string>([['owner', ada.id]])
  for (const kind of actorKinds) {
    if (kind === 'visitor' || kind === 'owner') continue
    const role = (platformRoles as readonly string[]).includes(kind) ? (kind as PlatformRole) : null
    ids.set(kind, await createPerson(role, kind === 'deactivated'))
  }
  const getMemberId = (kind: MemberKind) => ids.get(kind) ?? ''
  const homeDomain = await services.db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', ada.id)
    .executeTakeFirst()
  for (const kind of memberKinds)
    await services.db
      .insertInto('domain_members')
      .values({
        domain_id: homeDomain?.id ?? '',
        person_id: getMemberId(kind),
        role: getMemberRole(kind),
        added_at: 1,
        agreed_at: 1,
      })
      .execute()

  const foreignDomainId = services.newId()
  const domainColumns = { name: 'Without consent', slug: 'without-consent', description: null, custom_domain: null }
  const ownerColumns = {
    owner_id: ids.get('inviter without consent') ?? '',
    is_primary: false,
    custom_domain_verified: false,
  }
  await services.db.batch([
    services.db
      .insertInto('domains')
      .values({ id: foreignDomainId, ...domainColumns, ...ownerColumns, created_at: 1, updated_at: 1 }),
    services.db
      .insertInto('domain_members')
      .values({ domain_id: foreignDomainId, person_id: ada.id, role: 'admin', added_at: 1, agreed_at: null }),
  ])

  const createToken = async (kind: ActorKind) => {
    const id = ids.get(kind)
    if (!id) return null
    const { token } = await openSession(services, { id, email: '', name: null, nickname: null })
    if (kind === 'revoked token') await services.db.deleteFrom('sessions').where('person_id', '=', id).execute()
    if (kind === 'expired token')
      await services.db
        .updateTable('sessions')
        .set({ expires_at: services.now().getTime() })
        .where('person_id', '=', id)
        .execute()
    return token
  }
  const callAs = async <E extends Endpoint>(
    kind: ActorKind,
    endpoint: E,
    options: Parameters<typeof toRequest>[1],
  ): Promise<EndpointOutput<E>> => {
    const headers = { authorization: `Bearer ${await createToken(kind)}` }
    const { path, init } = toRequest(endpoint, { ...options, headers })
    const response = await app.fetch(path, init)
    const answer = (await response.json()) as EndpointOutput<E> & { data: EndpointOutput<E> }
    if (response.status !== 200) throw new Error(`Failed to create a sample: ${JSON.stringify(answer)}`)
    return endpoint.responseFormat === 'bare' ? answer : answer.data
  }
  const createAs = <E extends Endpoint>(kind: ActorKind, endpoint: E, body: object) => callAs(kind, endpoint, { body })

  const world: PermissionWorld = {
    app,
    adaId: ada.id,
    createToken,
    getActorId: (kind) => ids.get(kind),
    asAda: (endpoint, options) => callAs('owner', endpoint, options),
    createDomain: () => createDomainWithMembers(services, ada.id, getMemberId),
    getMemberId,
    async removeNewMembers() {
      const members = [ada.id, ...memberKinds.map(getMemberId)]
      await services.db.deleteFrom('domain_members').where('person_id', 'not in', members).execute()
    },
    createPrivateAgent: async () =>
      (await createAs('owner', agents.create, { name: 'Private', purpose: adaCanary })).id,
    createSharedAgent: async () =>
      (await createAs('owner', agents.create, { name: 'Shared', purpose: adaCanary, visibility: 'shared' })).id,
    createKeeper: async () => {
      const keeperInput = {
        title: `The Harbour Year ${adaCanary}`,
        purpose: adaCanary,
        keeperType: 'journal',
        memoryPattern: 'sole',
      }
      return (await createAs('owner', keepers.create, keeperInput)).id
    },
    createKeeperType: async () => (await createAs('owner', keeperTypes.create, { name: `Walks ${adaCanary}` })).id,
    async createLinkedTemplate() {
      const id = await this.createKeeperType()
      const templateId = services.newId()
      const now = services.now().getTime()
      const templateColumns = { slug: templateId, label: 'Tides', description: adaCanary, category: '' }
      const shape = { kind: 'content-type' as const, type: 'other' as const, target: 'reflection' as const }
      const row = { ...templateColumns, ...shape, id: templateId, owner_id: ada.id, system: false, created_at: now }
      await services.db
        .insertInto('engagement_templates')
        .values({ ...row, fields: json([]), steps: json([]), updated_at: now })
        .execute()
      await services.db
        .insertInto('keeper_type_templates')
        .values({ keeper_type_id: id, template_id: templateId, position: 0 })
        .execute()
      return { id, templateId }
    },
    async createMoment() {
      const params = { id: await world.createKeeper() }
      return (
        await callAs('owner', moments.create, { params, body: { body: `First frost at the harbour. ${adaCanary}` } })
      ).id
    },
    async createReflection() {
      const params = { id: await world.createKeeper() }
      return (
        await callAs('owner', reflections.create, {
          params,
          body: { content: `The gate at the harbour does not shut. ${adaCanary}` },
        })
      ).id
    },
    async createCard() {
      return (await callAs('owner', reflections.promote, { params: { id: await world.createReflection() } })).id
    },
    async createTrashedMoment() {
      const id = await world.createMoment()
      await callAs('owner', moments.remove, { params: { id } })
      return id
    },
    async createMedia() {
      const bytes = { mime: 'text/plain', data: new TextEncoder().encode(`A note. ${adaCanary}`) }
      return (await callAs('owner', keeperMedia.upload, { params: { id: await world.createKeeper() }, bytes })).id
    },
    async createArchive() {
      const zip = new ZipFile()
      const empty = { format: 'keeper', version: 1, exportedAt: '2026-01-01T00:00:00Z', keepers: [] }
      // A fixed time keeps the bytes identical.
      zip.addBuffer(Buffer.from(JSON.stringify(empty)), 'keeper.json', { mtime: new Date(2026, 0, 1) })
      zip.end()
      return new Uint8Array(await buffer(zip.outputStream.pipe(new PassThrough())))
    },
    async createImportJob(kind = 'keeper-zip', state = 'previewed') {
      // Frees the import quota.
      await services.db.deleteFrom('import_jobs').execute()
      const id = services.newId()
      const now = services.now().getTime()
      const file = { file_name: `${adaCanary}.zip`, bytes: 1, sha256: 'x', total: 0, done: 0 }
      const times = { created_at: now, updated_at: now, lease_until: now }
      await services.db
        .insertInto('import_jobs')
        .values({ id, owner_id: ada.id, kind, state, ...file, ...times })
        .execute()
      return id
    },
    createUnprivilegedPerson: () => createPerson(null),
    createPrivateLead: () =>
      createAs('owner', agents.create, { name: 'Lead', purpose: adaCanary, agent_class: 'Lead', memory_enabled: true }),
    async createFinishedRun() {
      const { id } = await createAs('owner', agents.create, {
        name: 'Runner',
        purpose: adaCanary,
        memory_enabled: true,
      })
      const run = await createAs('owner', agents.run, { agentId: id, input: `hello ${adaCanary}` })
      const sessionId = run.session_id ?? ''
      const { shown_message_id } = await services.db
        .selectFrom('chat_sessions')
        .select('shown_message_id')
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow()
      return { runId: run.run_id, sessionId, messageId: shown_message_id ?? '' }
    },
    async createSpokenRun() {
      const { runId } = await this.createFinishedRun()
      const recordingOwner = { id: services.newId(), runId, personId: ada.id, visitorId: null }
      const recording = { ...recordingOwner, mime: 'audio/mpeg', bytes: Buffer.from('sound') }
      await storeRecording(services, recording)
      return runId
    },
    async createRunAwaitingDecision() {
      const { runId } = await this.createFinishedRun()
      const call = { id: services.newId(), name: 'write_reflection', title: 'Write', agent_slug: 'runner' }
      const tools = json([{ ...call, state: 'asks' as const, arguments: {}, result: null }])
      const lease_until = services.now().getTime() + 3_600_000
      await services.db
        .updateTable('runs')
        .set({ status: 'running', lease_until, tools })
        .where('id', '=', runId)
        .execute()
      return { runId, callId: call.id }
    },
    async createGoldenQuestion() {
      const agentId = await this.createPrivateAgent()
      const questionId = services.newId()
      const now = services.now().getTime()
      const pair = {
        question: `Where? ${adaCanary}`,
        expectation: 'Here',
        judged_by: 'contains' as const,
        source_run_id: null,
      }
      await services.db
        .insertInto('golden_questions')
        .values({ id: questionId, agent_id: agentId, ...pair, created_by: ada.id, created_at: now, updated_at: now })
        .execute()
      return { agentId, questionId }
    },
    async createGoldenRun() {
      const { agentId } = await this.createGoldenQuestion()
      const goldenRunId = services.newId()
      const now = services.now().getTime()
      const finishedColumns = { status: 'done' as const, created_at: now, finished_at: now, lease_until: now }
      await services.db
        .insertInto('golden_runs')
        .values({
          id: goldenRunId,
          agent_id: agentId,
          person_id: ada.id,
          base_rev: 1,
          candidate: null,
          ...finishedColumns,
          results: json([]),
        })
        .execute()
      return { agentId, goldenRunId }
    },
    async savePersonalKey() {
      await createAs('owner', keys.savePersonal, { provider: 'openai', apiKey: canaryKeys.openai })
    },
    async savePlatformKey() {
      await createAs('super-admin', keys.savePlatform, { provider: 'openai', api_key: canaryPlatformKeys.openai })
    },
    async restorePassword() {
      await services.db.updateTable('people').set({ password_hash }).where('id', '=', ada.id).execute()
    },
    createResetToken: async () => createResetLink(services, await createPerson(null)),
    createUniqueEmail: () => `fresh${++sequence}@example.com`,
  }
  return world
}

export const adaSignIn = { email: cast.ada.email, password: cast.ada.password }
