/** The search index; everything in it is derived from other tables. */
export interface SearchSchema {
  search_entries: {
    /** Unique and ordered by time: see `toPosition`. */
    position: number
    entity: string
    id: string
    owner_id: string
    /** The keeper, board or chat it belongs to. */
    container_id: string
    day: string
    /** Normalized text. */
    text: string
  }
  /** Entries that changed since they were indexed. Triggers write it; each change increments `mark`. */
  search_pending: {
    entity: string
    id: string
    owner_id: string
    mark: number
  }
}
