import { dayMs } from '#server/values/time-units.ts'
/** In-memory model of the rules of a keeper, to compare the server with. */
export interface ModelEntry {
  id: string
  trashedAt: number | null
}
export interface ModelReflection extends ModelEntry {
  content: string
  rev: number
  createdAt: number
  isPromoted: boolean
  isRested: boolean
}
export interface ModelCard extends ModelEntry {
  content: string
  rev: number
  reflection: string
}
export interface ModelEcho extends ModelEntry {
  message: string
  dueAt: number | null
  isDelivered: boolean
}

export type Outcome = 200 | 404 | 409

export class KeeperModel {
  readonly reflections: ModelReflection[] = []
  readonly cards: ModelCard[] = []
  readonly echoes: ModelEcho[] = []

  edit(reflection: ModelReflection, content: string, ifMatch: number | null): Outcome {
    if (reflection.trashedAt !== null) return 404
    if (reflection.isPromoted) return 409
    if (ifMatch !== null && ifMatch !== reflection.rev) return 409
    if (content === reflection.content) return 200
    reflection.content = content
    reflection.rev += 1
    return 200
  }

  promote(reflection: ModelReflection): Outcome {
    if (reflection.trashedAt !== null) return 404
    if (reflection.isPromoted) return 409
    reflection.isPromoted = true
    reflection.rev += 1
    return 200
  }

  rest(reflection: ModelReflection, isRested: boolean): Outcome {
    if (reflection.trashedAt !== null) return 404
    if (reflection.isPromoted) return 409
    // Keeps the revision, so that a concurrent edit isn't disturbed.
    reflection.isRested = isRested
    return 200
  }

  trash(entry: ModelEntry, now: number): Outcome {
    if (entry.trashedAt !== null) return 404
    entry.trashedAt = now
    return 200
  }

  restore(entry: ModelEntry, now: number): Outcome {
    if (entry.trashedAt === null || now - entry.trashedAt >= 30 * dayMs) return 404
    entry.trashedAt = null
    return 200
  }

  getEchoState(echo: ModelEcho, now: number): 'pending' | 'ready' | 'delivered' {
    if (echo.isDelivered) return 'delivered'
    return echo.dueAt !== null && echo.dueAt <= now ? 'ready' : 'pending'
  }

  deliver(echo: ModelEcho, now: number): Outcome {
    if (echo.trashedAt !== null) return 404
    if (this.getEchoState(echo, now) !== 'ready') return 409
    echo.isDelivered = true
    return 200
  }

  reword(echo: ModelEcho, message: string): Outcome {
    if (echo.trashedAt !== null) return 404
    if (echo.isDelivered) return 409
    echo.message = message
    return 200
  }

  listSuggestions(now: number): string[] {
    return this.reflections
      .filter(({ trashedAt, isPromoted, isRested }) => trashedAt === null && !isPromoted && !isRested)
      .filter(({ createdAt }) => now - createdAt > dayMs)
      .map(({ id }) => id)
  }
}

export const removeTrashed = <Entry extends ModelEntry>(entries: Entry[]): Entry[] =>
  entries.filter(({ trashedAt }) => trashedAt === null)
