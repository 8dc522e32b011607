import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { compareStrings } from '#contract/compare-strings.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { DatabaseConnection } from '#web/offline/database-connection.ts'
import { getSignedInUserId, StoreClosedError } from '#web/offline/signed-in-user.ts'
import type { DocumentFormat, DocumentInfo, DocumentType, ExtractedText, LibraryDocument } from '../documents.ts'

interface LibrarySchema extends DBSchema {
  documents: { key: string; value: LibraryDocument }
  blobs: { key: string; value: Blob }
  texts: { key: string; value: ExtractedText }
}
type LibraryDatabase = IDBPDatabase<LibrarySchema>

export interface NewDocument {
  name: string
  blob: Blob
  format: DocumentFormat
  type: DocumentType
  sha256: string | null
}

export const undoMs = 15_000
const textBatchSize = 40

const getDatabaseName = (personId: string) => `keeper-library-${personId}`

function openDatabase(personId: string, onLost: () => void): Promise<LibraryDatabase> {
  return openDB<LibrarySchema>(getDatabaseName(personId), 2, {
    upgrade(database, oldVersion, _newVersion, transaction) {
      if (oldVersion < 1) {
        database.createObjectStore('documents', { keyPath: 'id' })
        database.createObjectStore('blobs')
        database.createObjectStore('texts', { keyPath: 'id' })
      }
      // Version 1 guessed encodings and skipped character maps, so the texts are read again.
      else if (oldVersion < 2) transaction.objectStore('texts').clear()
    },
    blocking(_current, _blocked, event) {
      onLost()
      ;(event.target as IDBDatabase).close()
    },
    terminated: onLost,
  })
}

/** Stays in the browser after signing out, because there may be no other copy. Opens only for its owner. */
export class LibraryStore {
  readonly personId: string
  readonly #connection = new DatabaseConnection((onLost) => openDatabase(this.personId, onLost))
  readonly #channel: BroadcastChannel
  readonly #listeners = new Set<() => void>()

  constructor(personId: string) {
    this.personId = personId
    this.#channel = new BroadcastChannel(getDatabaseName(personId))
    this.#channel.onmessage = () => this.#notifyListeners()
  }

  /** Fires on changes in this tab or another. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Newest first, without deleted ones. */
  async listDocuments(): Promise<LibraryDocument[]> {
    const all = await this.#use((db) => db.getAll('documents'))
    return all.filter(({ deletedAt }) => !deletedAt).sort(compareNewestFirst)
  }

  async findIdentical({ size, sha256 }: { size: number; sha256: string | null }): Promise<LibraryDocument | undefined> {
    if (sha256 === null) return undefined
    return (await this.listDocuments()).find((document) => document.size === size && document.sha256 === sha256)
  }

  /** Atomic; identical bytes are stored once. */
  async add({ name, blob, format, type, sha256 }: NewDocument): Promise<LibraryDocument> {
    const document: LibraryDocument = {
      id: createClientId(),
      name,
      type,
      format,
      size: blob.size,
      uploadedAt: new Date().toISOString(),
      blobKey: sha256 ?? createClientId(),
      sha256,
      description: '',
      tags: [],
    }
    await this.#use(async (db) => {
      const transaction = db.transaction(['documents', 'blobs'], 'readwrite')
      const documents = transaction.objectStore('documents')
      const blobs = transaction.objectStore('blobs')
      const pendingWrites = (async () => {
        if ((await blobs.getKey(document.blobKey)) === undefined) await blobs.put(blob, document.blobKey)
        await documents.put(document)
      })()
      await Promise.all([pendingWrites, transaction.done])
    })
    this.#publishChange()
    return document
  }

  /** Undefined if another tab deleted the document. */
  async change(id: string, info: DocumentInfo): Promise<LibraryDocument | undefined> {
    const updatedDocument = await this.#use(async (db) => {
      const transaction = db.transaction('documents', 'readwrite')
      const currentDocument = await transaction.store.get(id)
      const updated = currentDocument && !currentDocument.deletedAt ? { ...currentDocument, ...info } : undefined
      if (updated) await transaction.store.put(updated)
      await transaction.done
      return updated
    })
    if (updatedDocument) this.#publishChange()
    return updatedDocument
  }

  /** The documents can be restored until `purge` removes them, `undoMs` later. @returns how many were deleted */
  async remove(ids: readonly string[]): Promise<number> {
    const deletedAt = new Date().toISOString()
    return this.#updateEach(ids, (document) => (document.deletedAt ? undefined : { ...document, deletedAt }))
  }

  async restore(ids: readonly string[]): Promise<number> {
    return this.#updateEach(ids, ({ deletedAt, ...document }) => (deletedAt ? document : undefined))
  }

  /** Removes expired deletions, and their bytes unless another document uses them. */
  async purge(now = Date.now()): Promise<void> {
    await this.#use(async (db) => {
      const transaction = db.transaction(['documents', 'blobs', 'texts'], 'readwrite')
      const documents = transaction.objectStore('documents')
      const all = await documents.getAll()
      const expired = all.filter(({ deletedAt }) => deletedAt && Date.parse(deletedAt) + undoMs <= now)
      const ids = new Set(expired.map(({ id }) => id))
      const usedBlobKeys = new Set(all.filter(({ id }) => !ids.has(id)).map(({ blobKey }) => blobKey))
      for (const { id, blobKey } of expired) {
        await documents.delete(id)
        await transaction.objectStore('texts').delete(id)
        if (!usedBlobKeys.has(blobKey)) await transaction.objectStore('blobs').delete(blobKey)
      }
      await transaction.done
    })
  }

  /** @throws if the browser has lost the bytes */
  async readBytes({ blobKey }: Pick<LibraryDocument, 'blobKey'>): Promise<Blob> {
    const blob = await this.#use((db) => db.get('blobs', blobKey))
    if (!blob) throw new Error('The file of this document is no longer in this browser.')
    return blob
  }

  listIndexedIds(): Promise<string[]> {
    return this.#use((db) => db.getAllKeys('texts'))
  }

  async saveText(text: ExtractedText): Promise<void> {
    await this.#use(async (db) => {
      const transaction = db.transaction(['documents', 'texts'], 'readwrite')
      // The document may have been deleted while it was being read.
      if (await transaction.objectStore('documents').getKey(text.id)) await transaction.objectStore('texts').put(text)
      await transaction.done
    })
  }

  /** In batches, to limit memory. */
  async *readTextBatches(): AsyncGenerator<ExtractedText[]> {
    let lastId: string | undefined
    for (;;) {
      const range = lastId === undefined ? undefined : IDBKeyRange.lowerBound(lastId, true)
      const batch: ExtractedText[] = await this.#use((db) => db.getAll('texts', range, textBatchSize))
      if (batch.length === 0) return
      lastId = batch.at(-1)?.id
      yield batch
    }
  }

  async #updateEach(
    ids: readonly string[],
    update: (document: LibraryDocument) => LibraryDocument | undefined,
  ): Promise<number> {
    const count = await this.#use(async (db) => {
      const transaction = db.transaction('documents', 'readwrite')
      let updatedCount = 0
      for (const id of ids) {
        const currentDocument = await transaction.store.get(id)
        const next = currentDocument && update(currentDocument)
        if (!next) continue
        await transaction.store.put(next)
        updatedCount++
      }
      await transaction.done
      return updatedCount
    })
    if (count > 0) this.#publishChange()
    return count
  }

  #use<Result>(task: (db: LibraryDatabase) => Promise<Result>): Promise<Result> {
    return this.#connection.use(task, () => {
      if (getSignedInUserId() !== this.personId)
        throw new StoreClosedError('The owner of these documents isn’t signed in.')
    })
  }

  #publishChange(): void {
    this.#notifyListeners()
    this.#channel.postMessage('changed')
  }
  #notifyListeners(): void {
    for (const listener of this.#listeners) listener()
  }
}

const stores = new Map<string, LibraryStore>()

export function openLibrary(personId: string): LibraryStore {
  const store = stores.get(personId) ?? new LibraryStore(personId)
  stores.set(personId, store)
  return store
}

function compareNewestFirst(a: LibraryDocument, b: LibraryDocument): number {
  if (a.uploadedAt === b.uploadedAt) return compareStrings(a.id, b.id)
  return a.uploadedAt < b.uploadedAt ? 1 : -1
}
