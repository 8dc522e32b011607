import { expect, test } from 'vitest'
import { type StringField, stringFields } from '#tests/string-fields.ts'

/** Texts of several lines and Markdown: kept byte for byte. */
const multiLine = `
  agentClasses.description agents.input agents.purpose agents.personality agents.capabilities boardAssist.purpose
  boardFiles.description boardLive.description boards.description diagnostics.content domains.description
  echoes.message engagementTemplates.answers engagementTemplates.description engagementTemplates.prompt
  goldenQuestions.capabilities goldenQuestions.expectation goldenQuestions.personality goldenQuestions.purpose
  goldenQuestions.question intent.body intent.description intent.input invitations.note journeys.note
  journeys.purpose keeperMedia.alt keeperTypes.description keepers.purpose logbook.entry memoryCards.content
  memoryPatterns.description moments.body people.note people.noteBefore reflections.content sole.content sole.quote
  sole.reason sole.text topics.note versions.capabilities versions.expectation versions.personality versions.purpose
  versions.question voice.belief voice.note`

/** Secrets, which are compared as they were typed. */
const secrets = `
  accounts.currentPassword accounts.invitationToken accounts.newPassword accounts.password accounts.setupToken
  accounts.token boardSharing.token invitations.token keys.apiKey keys.api_key modelServices.key ownAccount.password
  personalToolServers.client_secret personalToolServers.code personalToolServers.state`

/** Words of a list, slugs, hosts, times and names of types, tools and columns: what fits none is refused or ignored. */
const words = `
  accounts.email agentClasses.tools agents.bundle agents.class_slug agents.editOf agents.permissions
  agents.regenerateOf agents.slug agents.tools boardFiles.entityType boardFiles.exportedAt boardFiles.frameType
  boardFiles.icon boardFiles.kind boardFiles.mime boardFiles.pictures boardFiles.sha256 boardFiles.theme
  boardLive.entityType boardLive.frameType boardLive.icon boardLive.theme boards.entityType boards.frameType
  boards.icon boards.theme customDomains.customDomain diagnostics.testString domains.customDomain domains.slug
  echoes.triggerTimezone engagementTemplates.agentSlug engagementTemplates.timezone goldenQuestions.bundle
  goldenQuestions.class_slug goldenQuestions.permissions goldenQuestions.slug goldenQuestions.tools modelServices.base_url
  moments.timezone personalToolServers.error personalToolServers.iss sampleKeeper.timezone sole.at versions.bundle versions.class_slug versions.leave_out
  versions.permissions versions.slug versions.tools`

const read = (list: string) => list.trim().split(/\s+/)
const exceptions = new Set([multiLine, secrets, words].flatMap(read))
/** The keys of a map are checked by whatever reads them. */
const isId = ({ key }: StringField) =>
  /\.(id|ids)$|Id(s|sBefore)?$|_id$|\.(preferred_theme|golden_run)_id$|\(key\)$/.test(key)
const needsDecision = (field: StringField) => !field.isCleaned && !field.hasFormat && !isId(field)

test('every text that a body takes is cleaned, has a format, or stands in one of the lists above', () => {
  const undecided = stringFields('body').filter((field) => needsDecision(field) && !exceptions.has(field.key))
  expect(undecided.map(({ call, key }) => `${call}: ${key}`)).toEqual([])
})

test('the lists above name only fields that there are and that are not cleaned', () => {
  const present = new Set(stringFields('body').flatMap((field) => (needsDecision(field) ? [field.key] : [])))
  expect([...exceptions].filter((key) => !present.has(key))).toEqual([])
})

test('names of uploaded files are cleaned, which come in the address', () => {
  const names = stringFields('query').filter(({ key }) => /\.(name|fileName)$/.test(key))
  expect(names.map(({ call, isCleaned }) => [call, isCleaned])).toEqual([
    ['keeperMedia.upload', true],
    ['transfer.upload', true],
    ['boardSharing.upload', true],
  ])
})

test('what is cleaned in a body is cleaned in the answers of its area', () => {
  const cleaned = new Set(stringFields('body').flatMap(({ key, isCleaned }) => (isCleaned ? [key] : [])))
  /** Either a list of single lines or one text of several. */
  const either = /\.(capabilities|answers)$/
  const raw = stringFields('returns').filter(
    ({ key, isCleaned }) => cleaned.has(key) && !isCleaned && !either.test(key),
  )
  expect(raw.map(({ call, key }) => `${call}: ${key}`)).toEqual([])
})

test('every answer cleans what is called a name, a title or a label', () => {
  const named = stringFields('returns').filter(({ key }) => /\.(name|title|label|nickname|tagline|\w+Name)$/.test(key))
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ isCleaned }) => !isCleaned).map(({ call, key }) => `${call}: ${key}`)).toEqual([])
})
