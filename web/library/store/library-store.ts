import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { compareStrings } from '#contract/compare-strings.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
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

/** Stays in the browser after signing out, because there may be no other copy. Opens only for its owner. */
export class LibraryStore {
  readonly personId: string
  #opened: Promise<LibraryDatabase> | undefined
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
    const all = await (await this.#open()).getAll('documents')
    return all.filter(({ deletedAt }) => !deletedAt).sort(compareNewestFirst)
  }

  async findIdentical({ size, sha256 }: { size: number; sha256: string | null }): Promise<LibraryDocument | undefined> {
    if (sha256 === null) return undefined
    return (await this.listDocuments()).find((document) => document.size === size && document.sha256 === sha256)
  }

  /** Atomic; identical bytes are stored once. */
  async add({ name, blob, format, type, sha256 }: NewDocument): Promise<LibraryDocument> {
    const db = await this.#open()
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
    const transaction = db.transaction(['documents', 'blobs'], 'readwrite')
    const documents = transaction.objectStore('documents')
    const blobs = transaction.objectStore('blobs')
    const pendingWrites = (async () => {
      if ((await blobs.getKey(document.blobKey)) === undefined) await blobs.put(blob, document.blobKey)
      await documents.add(document)
    })()
    await Promise.all([pendingWrites, transaction.done])
    this.#publishChange()
    return document
  }

  /** Undefined if another tab deleted the document. */
  async change(id: string, info: DocumentInfo): Promise<LibraryDocument | undefined> {
    const transaction = (await this.#open()).transaction('documents', 'readwrite')
    const currentDocument = await transaction.store.get(id)
    const updatedDocument = currentDocument && !currentDocument.deletedAt ? { ...currentDocument, ...info } : undefined
    if (updatedDocument) await transaction.store.put(updatedDocument)
    await transaction.done
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
    const transaction = (await this.#open()).transaction(['documents', 'blobs', 'texts'], 'readwrite')
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
  }

  /** @throws if the browser has lost the bytes */
  async readBytes({ blobKey }: Pick<LibraryDocument, 'blobKey'>): Promise<Blob> {
    const blob = await (await this.#open()).get('blobs', blobKey)
    if (!blob) throw new Error('The file of this document is no longer in this browser.')
    return blob
  }

  async listIndexedIds(): Promise<string[]> {
    return (await this.#open()).getAllKeys('texts')
  }

  async saveText(text: ExtractedText): Promise<void> {
    const transaction = (await this.#open()).transaction(['documents', 'texts'], 'readwrite')
    // The document may have been deleted while it was being read.
    if (await transaction.objectStore('documents').getKey(text.id)) await transaction.objectStore('texts').put(text)
    await transaction.done
  }

  /** In batches, to limit memory. */
  async *readTextBatches(): AsyncGenerator<ExtractedText[]> {
    let lastId: string | undefined
    for (;;) {
      const range = lastId === undefined ? undefined : IDBKeyRange.lowerBound(lastId, true)
      const batch: ExtractedText[] = await (await this.#open()).getAll('texts', range, textBatchSize)
      if (batch.length === 0) return
      lastId = batch.at(-1)?.id
      yield batch
    }
  }

  async #updateEach(
    ids: readonly string[],
    update: (document: LibraryDocument) => LibraryDocument | undefined,
  ): Promise<number> {
    const transaction = (await this.#open()).transaction('documents', 'readwrite')
    let count = 0
    for (const id of ids) {
      const currentDocument = await transaction.store.get(id)
      const next = currentDocument && update(currentDocument)
      if (!next) continue
      await transaction.store.put(next)
      count++
    }
    await transaction.done
    if (count > 0) this.#publishChange()
    return count
  }

  async #open(): Promise<LibraryDatabase> {
    if (getSignedInUserId() !== this.personId)
      throw new StoreClosedError('The owner of these documents isn’t signed in.')
    const resetConnection = () => {
      this.#opened = undefined
    }
    this.#opened ??= openDB<LibrarySchema>(getDatabaseName(this.personId), 2, {
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
        resetConnection()
        ;(event.target as IDBDatabase).close()
      },
      terminated: resetConnection,
    })
    try {
      return await this.#opened
    } catch (reason) {
      resetConnection()
      throw reason
    }
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
