import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { book } from '#contract/keepers/book.ts'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { memoryChecks } from '#contract/keepers/memory-checks.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { sole } from '#contract/keepers/sole.ts'
import { sources } from '#contract/keepers/sources.ts'
import { topics } from '#contract/keepers/topics.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { voice } from '#contract/keepers/voice.ts'
import { waiting } from '#contract/keepers/waiting.ts'
import type { Person } from '#server/accounts/person.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listBookEntries, outlineBook } from './book/book-plan.ts'
import { listKeeperEvents } from './dashboard/recent-events.ts'
import { showDashboard } from './dashboard/show-dashboard.ts'
import { listEchoes } from './echoes/echo-view.ts'
import { createEcho, deliverEcho, updateEcho } from './echoes/save-echo.ts'
import { listEntryHistory, listEntryReads } from './entries/entry-history.ts'
import { listTrash } from './entries/list-trash.ts'
import { requireEntryFor } from './entries/require-entry.ts'
import { restoreEntry } from './entries/restore-entry.ts'
import { saveEntry } from './entries/save-entry.ts'
import { trashEntry } from './entries/trash-entry.ts'
import { completeJourney, completeWaypoint } from './journeys/complete-journey.ts'
import { listJourneys, showJourney } from './journeys/journey-view.ts'
import { createPath, listPaths, removePath, updatePath } from './journeys/paths.ts'
import { createJourney, updateJourney } from './journeys/save-journey.ts'
import { exportStory } from './journeys/story.ts'
import { type KeeperRow, requireKeeperFor } from './keeper-access.ts'
import { listKeepers, toKeeper } from './keeper-view.ts'
import { exportLogbook, listCategories, listLogbook, listTags } from './logbook/list-logbook.ts'
import { renameWord } from './logbook/rename-word.ts'
import { createLogbookEntry, updateLogbookEntry } from './logbook/save-logbook-entry.ts'
import { describeMedia, requireMediaFor } from './media/media-view.ts'
import { sendMediaBytes } from './media/send-bytes.ts'
import { setSmallVersion } from './media/small-versions.ts'
import { removeMedia, uploadMedia } from './media/upload-media.ts'
import { listCardsByTopic } from './memory-cards/cards-by-topic.ts'
import { generateEmbeddings, showEmbeddingStatus } from './memory-cards/generate-embeddings.ts'
import { listCards, showCard } from './memory-cards/list-cards.ts'
import { saveCard } from './memory-cards/save-card.ts'
import { searchCards } from './memory-cards/search-cards.ts'
import { MemoryConsent, showMemoryCheck, startMemoryCheck, stopMemoryCheck } from './memory-checks/memory-check.ts'
import { requirePendingMemory } from './memory-checks/pending-memory.ts'
import { listMoments } from './moments/list-moments.ts'
import { listMomentsOnThisDay, listYears, loadCalendar } from './moments/moment-days.ts'
import { listPlaces } from './moments/moment-places.ts'
import { toMoment } from './moments/moment-view.ts'
import { createMoment, updateMoment } from './moments/save-moment.ts'
import { listReflections, suggestReflections, toReflectionWithCard } from './reflections/list-reflections.ts'
import { promoteReflection } from './reflections/promote-reflection.ts'
import { createReflection, reflectOnMoment, setResting, updateReflection } from './reflections/save-reflection.ts'
import { createSample, removeSample } from './sample/create-sample.ts'
import { createKeeper, trashKeeper, updateKeeper } from './save-keeper.ts'
import { listSharesOfKeeper, revokeShare, shareJourney, shareKeeper } from './shared/shares.ts'
import { showSharedJourney } from './shared/show-shared-journey.ts'
import {
  listSharedLogbook,
  listSharedMoments,
  listSharesInDomain,
  sendSharedMedia,
  showSharedKeeper,
} from './shared/show-shared-keeper.ts'
import { approveDraft, rejectDraft } from './sole/decide-draft.ts'
import { explainDraft } from './sole/explain-draft.ts'
import { requestDraft } from './sole/request-draft.ts'
import {
  allowReviewer,
  listDraftsToReview,
  listReviewers,
  requireReviewable,
  withdrawReviewer,
} from './sole/sole-access.ts'
import { listVersions, restoreVersion, toSoleVersion } from './sole/sole-versions.ts'
import { submitDraft, toPersonAuthor } from './sole/submit-draft.ts'
import { keepDocument } from './sources/keep-document.ts'
import { keepQuote } from './sources/keep-quote.ts'
import { listDocuments, listSources, showSource, toSourceChanges, toSourceSummary } from './sources/sources.ts'
import { mergeTopics, undoMerge } from './topics/merge-topics.ts'
import { createTopic, removeTopic, updateTopic } from './topics/save-topic.ts'
import { listTopics, showTopic } from './topics/topic-view.ts'
import { exportAll, exportKeeper } from './transfer/export-keepers.ts'
import { importFromMemos } from './transfer/import-from-memos.ts'
import { cancelImport, chooseKeeper, listImports, showImport, startImport, undoImport } from './transfer/import-jobs.ts'
import { uploadArchive } from './transfer/pending-archives.ts'
import { chooseTranscriber, startTranscription } from './voice/execute-transcription.ts'
import { answerStillTrue, createVoice, listVoice, updateVoice } from './voice/save-voice.ts'
import { showWaiting } from './waiting/show-waiting.ts'

export function keeperRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('keepers', keepers, {
      list: ({ person, query }) => listKeepers(services, person, query.cursor),
      show: async ({ person, params }) => toKeeper(services, await requireKeeperFor(services, person, params.id)),
      create: ({ person, body }) => createKeeper(services, person, body),
      update: ({ person, params, body, ifMatch }) => updateKeeper(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => trashKeeper(services, person, params.id),
    }),
    ...serveArea('reflections', reflections, {
      list: ({ person, params, query }) => listReflections(services, person, params.id, query),
      suggestions: ({ person, params }) => suggestReflections(services, person, params.id),
      show: async ({ person, params }) =>
        toReflectionWithCard(services, await requireEntryFor(services, person, 'reflection', params.id)),
      create: ({ person, params, body }) => createReflection(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) =>
        updateReflection(services, person, { id: params.id, ifMatch, changes: body }),
      remove: ({ person, params }) => trashEntry(services, person, 'reflection', params.id),
      async promote({ person, params, body, ifMatch }) {
        const consent = new MemoryConsent(services, person, body.goldenCheck)
        return consent.toReply(await promoteReflection(services, person, { id: params.id, ifMatch, consent }))
      },
      rest: ({ person, params, body }) => setResting(services, person, params.id, body.rest ?? true),
    }),
    ...serveArea('memoryCards', memoryCards, {
      list: ({ person, params, query }) => listCards(services, person, params.id, query),
      byTopic: ({ person, params, query }) => listCardsByTopic(services, person, params.id, query.cursor),
      embeddingStatus: ({ person, params }) => showEmbeddingStatus(services, person, params.id),
      generateEmbeddings: ({ person, params }) => generateEmbeddings(services, person, params.id),
      search: ({ person, params, query }) => searchCards(services, person, params.id, query),
      show: ({ person, params }) => showCard(services, person.id, params.id),
      async update({ person, params, body: { goldenCheck, ...changes }, ifMatch }) {
        const consent = new MemoryConsent(services, person, goldenCheck)
        return consent.toReply(await saveCard(services, person, { id: params.id, ifMatch, changes, consent }))
      },
      remove: ({ person, params }) => trashEntry(services, person, 'card', params.id),
    }),
    ...serveArea('memoryChecks', memoryChecks, {
      start: async ({ person, params, body }) => {
        const memory = await requirePendingMemory(services, person, params.id, body)
        return (await startMemoryCheck(services, person, memory)).check
      },
      show: ({ person, params }) => showMemoryCheck(services, person, params.id),
      stop: ({ person, params }) => stopMemoryCheck(services, person, params.id),
    }),
    ...serveArea('voice', voice, {
      list: ({ person, params, query }) => listVoice(services, person, params.id, query.cursor),
      create: ({ person, params, body }) => createVoice(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) => updateVoice(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => trashEntry(services, person, 'voice', params.id),
      stillTrue: ({ person, params, body }) => answerStillTrue(services, person, params.id, body),
      transcribe: ({ person, params }) => startTranscription(services, person, params.id),
      transcription: async ({ person }) => {
        const { provider = null, model = null } = (await chooseTranscriber(services, person)) ?? {}
        return { provider, model }
      },
    }),
    ...serveArea('echoes', echoes, {
      list: ({ person, params, query }) => listEchoes(services, person, params.id, query.cursor),
      create: ({ person, params, body }) => createEcho(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) => updateEcho(services, person, params.id, body, ifMatch),
      deliver: ({ person, params }) => deliverEcho(services, person, params.id),
      remove: ({ person, params }) => trashEntry(services, person, 'echo', params.id),
    }),
    ...serveArea('logbook', logbook, {
      list: ({ person, params, query }) => listLogbook(services, person, params.id, query.cursor),
      categories: ({ person, params }) => listCategories(services, person, params.id),
      tags: ({ person, params }) => listTags(services, person, params.id),
      create: ({ person, params, body }) => createLogbookEntry(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) => updateLogbookEntry(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => trashEntry(services, person, 'logbook', params.id),
      renameWord: ({ person, params, body }) => renameWord(services, person, params.id, body),
      exportEntries: ({ person, params, query }) => exportLogbook(services, person, params.id, query.format),
    }),
    ...serveArea('moments', moments, {
      list: ({ person, params, query }) => listMoments(services, person, params.id, query),
      calendar: ({ person, params, query }) => loadCalendar(services, person, params.id, query),
      years: ({ person, params }) => listYears(services, person, params.id),
      places: ({ person, params }) => listPlaces(services, person, params.id),
      onThisDay: ({ person, params, query }) => listMomentsOnThisDay(services, person, params.id, query.date),
      show: async ({ person, params }) =>
        toMoment(services, await requireEntryFor(services, person, 'moment', params.id)),
      create: ({ person, params, body }) => createMoment(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) => updateMoment(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => trashEntry(services, person, 'moment', params.id),
      reflect: ({ person, params }) => reflectOnMoment(services, person, params.id),
    }),
    ...serveArea('keeperMedia', keeperMedia, {
      upload: ({ person, params, query, openUpload }) => uploadMedia(services, person, params.id, query, openUpload()),
      bytes: async ({ person, params, query, range }) =>
        sendMediaBytes(services, await requireMediaFor(services, person, params.id), { ...query, range }),
      setSmall: ({ person, params, openUpload }) => setSmallVersion(services, person, params.id, openUpload()),
      describe: ({ person, params, body }) => describeMedia(services, person, params.id, body.alt),
      remove: ({ person, params }) => removeMedia(services, person, params.id),
    }),
    ...serveArea('journeys', journeys, {
      list: ({ person, params, query }) => listJourneys(services, person, params.id, query.cursor),
      show: ({ person, params, query }) => showJourney(services, person, params.id, query.cursor),
      create: ({ person, params, body }) => createJourney(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) => updateJourney(services, person, params.id, body, ifMatch),
      // Paths are reachable only through their journey, so they follow it in and out of the trash. Moments stay.
      remove: ({ person, params }) => trashEntry(services, person, 'journey', params.id),
      complete: ({ person, params, body, ifMatch }) =>
        completeJourney(services, person, params.id, body.reflect ?? false, ifMatch),
      story: ({ person, params, query }) => exportStory(services, person, params.id, query.format),
      createPath: ({ person, params, body }) => createPath(services, person, params.id, body),
      paths: ({ person, params, query }) => listPaths(services, person, params.id, query.cursor),
      updatePath: ({ person, params, body, ifMatch }) => updatePath(services, person, params.id, body, ifMatch),
      removePath: ({ person, params }) => removePath(services, person, params.id),
      completeWaypoint: ({ person, params, body, ifMatch }) =>
        completeWaypoint(services, person, params, body.done ?? true, ifMatch),
    }),
    ...serveArea('topics', topics, {
      list: ({ person, params, query }) => listTopics(services, person, params.id, query.cursor),
      show: ({ person, params, query }) => showTopic(services, person, params.id, query.cursor),
      create: ({ person, params, body }) => createTopic(services, person, params.id, body),
      update: ({ person, params, body, ifMatch }) => updateTopic(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => removeTopic(services, person, params.id),
      merge: ({ person, params }) => mergeTopics(services, person, params),
      undoMerge: ({ person, params }) => undoMerge(services, person, params.id),
    }),
    ...serveArea('sole', sole, {
      versions: async ({ person, params, query }) =>
        listVersions(services, await requireReviewable(services, person, params.id), query.cursor),
      submitDraft: async ({ person, params, body }) => {
        const keeper = await requireKeeperFor(services, person, params.id)
        return toSoleVersion(services, await submitDraft(services, keeper, body, toPersonAuthor(person)))
      },
      askForDraft: async ({ person, params, body: { agentId }, wantsStream, address }) => {
        const keeper = await requireKeeperFor(services, person, params.id)
        return requestDraft(services, person, keeper, { agentId, wantsStream, address })
      },
      approve: async ({ person, params, body }) => {
        const keeper = await requireReviewable(services, person, params.id)
        const { goldenCheck, ...approval } = body
        const consent = new MemoryConsent(services, person, goldenCheck)
        await approveDraft(services, person, keeper, { ...approval, consent })
        return consent.toReply(await toSoleReply(services, person, keeper))
      },
      reject: async ({ person, params, body }) => {
        const keeper = await requireReviewable(services, person, params.id)
        await rejectDraft(services, person, keeper, body)
        return toSoleReply(services, person, keeper)
      },
      explain: async ({ person, params, body: { agentId }, wantsStream, address }) => {
        const keeper = await requireReviewable(services, person, params.id)
        return explainDraft(services, person, keeper, { agentId, wantsStream, address })
      },
      restore: async ({ person, params }) => {
        const keeper = await requireKeeperFor(services, person, params.id)
        await restoreVersion(services, person, keeper, params.version)
        return toSoleReply(services, person, keeper)
      },
      reviewers: async ({ person, params }) =>
        listReviewers(services, await requireKeeperFor(services, person, params.id)),
      allowReviewer: async ({ person, params }) =>
        allowReviewer(services, await requireKeeperFor(services, person, params.id), params.personId),
      withdrawReviewer: async ({ person, params }) =>
        withdrawReviewer(services, await requireKeeperFor(services, person, params.id), params.personId),
      toReview: ({ person, query }) => listDraftsToReview(services, person, query.cursor),
    }),
    ...serveArea('sources', sources, {
      list: ({ person, params, query }) => listSources(services, person, params.id, query),
      keepDocument: ({ person, params, body }) => keepDocument(services, person, params.id, body),
      listDocuments: ({ person }) => listDocuments(services, person),
      show: async ({ person, params }) =>
        showSource(services, await requireEntryFor(services, person, 'source', params.id)),
      async update({ person, params, body, ifMatch }) {
        const row = await saveEntry(services, person, {
          entity: 'source',
          id: params.id,
          ifMatch,
          getChanges: (current) => toSourceChanges(current, body),
          toView: toSourceSummary,
        })
        return toSourceSummary(row)
      },
      remove: ({ person, params }) => trashEntry(services, person, 'source', params.id),
      keepQuote: ({ person, params, body }) => keepQuote(services, person, params.id, body),
    }),
    ...serveArea('sharingInDomains', sharingInDomains, {
      list: ({ person, params }) => listSharesInDomain(services, person, params.id),
      sharesOfKeeper: ({ person, params }) => listSharesOfKeeper(services, person, params.id),
      shareKeeper: ({ person, params, body }) => shareKeeper(services, person, params, body),
      unshareKeeper: ({ person, params }) => revokeShare(services, person, params.id, 'keeper', params.keeperId),
      shareJourney: ({ person, params, body }) => shareJourney(services, person, params, body),
      unshareJourney: ({ person, params }) => revokeShare(services, person, params.id, 'journey', params.journeyId),
      keeper: ({ person, params }) => showSharedKeeper(services, person, params),
      moments: ({ person, params, query }) => listSharedMoments(services, person, params, query),
      logbook: ({ person, params, query }) => listSharedLogbook(services, person, params, query.cursor),
      journey: ({ person, params, query }) => showSharedJourney(services, person, params, query),
      media: ({ person, params, query, range }) => sendSharedMedia(services, person, params, { ...query, range }),
    }),
    ...serveArea('entries', entries, {
      trash: ({ person, query }) => listTrash(services, person, query),
      restore: ({ person, params }) => restoreEntry(services, person, params),
      history: ({ person, params, query }) => listEntryHistory(services, person, params, query.cursor),
      reads: ({ person, params, query }) => listEntryReads(services, person, params, query.cursor),
    }),
    ...serveArea('dashboards', dashboards, {
      show: ({ person, params, query }) => showDashboard(services, person, params.id, query),
      events: ({ person, query }) => listKeeperEvents(services, person, query.limit),
    }),
    ...serveArea('waiting', waiting, { show: ({ person }) => showWaiting(services, person) }),
    ...serveArea('sampleKeeper', sampleKeeper, {
      make: ({ person, body }) => createSample(services, person, body.timezone),
      remove: ({ person }) => removeSample(services, person),
    }),
    ...serveArea('transfer', transfer, {
      exportKeeper: ({ person, params }) => exportKeeper(services, person, params.id),
      exportAll: ({ person }) => exportAll(services, person),
      upload: ({ person, query, openUpload }) => uploadArchive(services, person, query, openUpload()),
      readMemos: ({ person, body }) => importFromMemos(services, person, body),
      list: ({ person, query }) => listImports(services, person, query.cursor),
      show: ({ person, params }) => showImport(services, person, params.jobId),
      chooseKeeper: ({ person, params, body }) => chooseKeeper(services, person, params.jobId, body.keeperId),
      begin: ({ person, params, body }) => startImport(services, person, params.jobId, body.keeperId),
      cancel: ({ person, params }) => cancelImport(services, person, params.jobId),
      undo: ({ person, params }) => undoImport(services, person, params.jobId),
    }),
    ...serveArea('book', book, {
      outline: async ({ person, params, query }) =>
        outlineBook(services, await requireKeeperFor(services, person, params.id), query),
      entries: ({ person, params, query }) => listBookEntries(services, person, params.id, query),
      epub: async ({ person, params, query }) => {
        // Loaded on first use: its Markdown parser would slow every start.
        const { exportEpub } = await import('./book/export-epub.ts')
        return exportEpub(services, person, params.id, query)
      },
    }),
  ]
}

/** Reviewers see only the SOLE of a keeper. */
async function toSoleReply(services: Services, person: Person, keeper: KeeperRow) {
  const view = await toKeeper(services, keeper)
  const { id, sole, soleDraft, soleSubmittedAt } = view
  return keeper.owner_id === person.id ? view : { id, sole, soleDraft, soleSubmittedAt }
}
