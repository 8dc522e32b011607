import { expect, test } from 'vitest'
import { listStringFields, type StringField } from '#tests/string-fields.ts'

/** Multi-line texts and Markdown, stored unchanged. */
const multiLine = `
  agentClasses.description agents.input agents.purpose agents.personality agents.capabilities boardAssist.purpose
  boardLive.description boards.description diagnostics.content domains.description
  echoes.message engagementTemplates.answers engagementTemplates.description engagementTemplates.prompt
  goldenQuestions.capabilities goldenQuestions.expectation goldenQuestions.personality goldenQuestions.purpose
  goldenQuestions.question intent.body intent.description intent.input invitations.note journeys.note
  journeys.purpose keeperMedia.alt keeperTypes.description keepers.purpose logbook.entry memoryCards.content
  memoryPatterns.description moments.body people.note people.noteBefore reflections.content sole.content sole.quote
  proposals.content
  sole.reason sole.text sources.quote sources.text topics.note versions.capabilities versions.expectation versions.personality versions.purpose
  versions.question voice.belief voice.note`

/** Secrets, compared as typed. */
const secrets = `
  accounts.currentPassword accounts.invitationToken accounts.newPassword accounts.password accounts.setupToken
  accounts.token boardSharing.token invitations.token keys.apiKey keys.api_key modelServices.key ownAccount.password
  appLock.attestationObject appLock.authenticatorData appLock.clientDataJSON appLock.password appLock.pin appLock.signature
  appLock.transports appLock.userHandle oidc.flow oidc.invitationToken oidc.query oidc.ticket
  accounts.code accounts.deviceToken accounts.pendingToken proofs.code proofs.password secondFactor.code
  passkeySignIns.attestationObject passkeySignIns.authenticatorData passkeySignIns.clientDataJSON passkeySignIns.signature passkeySignIns.transports passkeySignIns.userHandle
  passkeys.attestationObject passkeys.authenticatorData passkeys.clientDataJSON passkeys.signature passkeys.transports passkeys.userHandle
  proofs.attestationObject proofs.authenticatorData proofs.clientDataJSON proofs.signature proofs.transports proofs.userHandle
  personalToolServers.client_secret personalToolServers.code personalToolServers.state`

/** Enum values, slugs, hosts, times and names of types, tools and columns: invalid ones are refused or ignored. */
const tokenFields = `
  accounts.email backups.host oauth.redirect_uri oauth.resource oauth.state agentClasses.tools agents.bundle agents.class_slug agents.editOf agents.permissions
  agents.regenerateOf agents.slug agents.tools boardFiles.exportedAt
  boardFiles.kind boardFiles.mime boardFiles.pictures boardFiles.sha256
  boardLive.entityType boardLive.frameType boardLive.icon boardLive.theme boards.entityType boards.frameType
  boards.icon boards.theme customDomains.customDomain diagnostics.testString domains.customDomain domains.slug
  echoes.triggerTimezone engagementTemplates.agentSlug engagementTemplates.timezone goldenQuestions.bundle
  goldenQuestions.class_slug goldenQuestions.permissions goldenQuestions.slug goldenQuestions.tools modelServices.base_url
  moments.timezone personalToolServers.error personalToolServers.iss sampleKeeper.timezone sole.at versions.bundle versions.class_slug versions.leave_out
  versions.permissions versions.slug versions.tools`

const splitWords = (list: string) => list.trim().split(/\s+/)
const exceptions = new Set([multiLine, secrets, tokenFields].flatMap(splitWords))
/** Map keys are checked where they are read. */
const isId = ({ key }: StringField) =>
  /\.(id|ids)$|Id(s|sBefore)?$|_id$|\.(preferred_theme|golden_run)_id$|\(key\)$/.test(key)
const needsDecision = (field: StringField) => !field.isCleaned && !field.hasFormat && !isId(field)

test('every body text is cleaned, has a format or is listed above', () => {
  const undecided = listStringFields('body').filter((field) => needsDecision(field) && !exceptions.has(field.key))
  expect(undecided.map(({ call, key }) => `${call}: ${key}`)).toEqual([])
})

test('the lists above contain only existing, uncleaned fields', () => {
  const present = new Set(listStringFields('body').flatMap((field) => (needsDecision(field) ? [field.key] : [])))
  expect([...exceptions].filter((key) => !present.has(key))).toEqual([])
})

test('names of uploaded files in the query are cleaned', () => {
  const names = listStringFields('query').filter(({ key }) => /\.(name|fileName)$/.test(key))
  expect(names.map(({ call, isCleaned }) => [call, isCleaned])).toEqual([
    ['keeperMedia.upload', true],
    ['transfer.upload', true],
    ['boardSharing.upload', true],
  ])
})

test("fields cleaned in a body are cleaned in the area's responses", () => {
  const cleaned = new Set(listStringFields('body').flatMap(({ key, isCleaned }) => (isCleaned ? [key] : [])))
  /** Fields that are single lines in one type and multi-line text in another. */
  const either = /\.(capabilities|answers)$/
  const uncleaned = listStringFields('response').filter(
    ({ key, isCleaned }) => cleaned.has(key) && !isCleaned && !either.test(key),
  )
  expect(uncleaned.map(({ call, key }) => `${call}: ${key}`)).toEqual([])
})

test('every response cleans names, titles and labels', () => {
  const named = listStringFields('response').filter(({ key }) =>
    /\.(name|title|label|nickname|tagline|\w+Name)$/.test(key),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ isCleaned }) => !isCleaned).map(({ call, key }) => `${call}: ${key}`)).toEqual([])
})
