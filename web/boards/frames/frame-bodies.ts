import { type ComponentType, lazy } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'

export interface FrameContext {
  boardId: string
  /** Entity of the board, for frames without their own. */
  entityType: string | null
  entityId: string | null
  /** `view`: live but read-only. `sample`: no requests and no changes. */
  mode: 'edit' | 'view' | 'sample'
  /** Replaces the session on a board opened through a link. */
  linkToken?: string
}

export interface FrameBodyProps {
  frame: Frame
  context: FrameContext
  /** Changes `data.content`, undoable; does nothing without edit rights. */
  changeContent: (changes: Record<string, unknown>, gesture?: string) => void
  openSettings?: () => void
}

export class FrameNotLoaded extends Error {
  override name = 'FrameNotLoaded'
}

type FrameBodyComponent = ComponentType<FrameBodyProps>

/** Lazy component per frame type. React caches a failed load, so retrying needs a new one. */
class FrameBody {
  Component: FrameBodyComponent
  readonly #load: () => Promise<FrameBodyComponent>
  #hasFailed = false

  constructor(load: () => Promise<FrameBodyComponent>) {
    this.#load = load
    this.Component = this.#createComponent()
  }
  tryAgain(): void {
    if (this.#hasFailed) this.Component = this.#createComponent({ isRetry: true })
  }

  #createComponent({ isRetry = false } = {}): FrameBodyComponent {
    this.#hasFailed = false
    return lazy(async () => {
      try {
        return { default: await this.#load() }
      } catch (reason) {
        // Browsers may cache a failed import until the page reloads; unsaved changes are in the draft.
        if (isRetry && (await isFetchable(reason))) {
          location.reload()
          return new Promise<never>(() => {})
        }
        this.#hasFailed = true
        throw new FrameNotLoaded('Failed to load frame', { cause: reason })
      }
    })
  }
}

async function isFetchable(reason: unknown): Promise<boolean> {
  const [url] = (reason instanceof Error && /https?:\/\/\S+/.exec(reason.message)) || []
  return url !== undefined && (await fetch(url).catch(() => null))?.ok === true
}

const createLazyBody = (load: () => Promise<FrameBodyComponent>) => new FrameBody(load)

export const frameBodies: Partial<Record<FrameType, FrameBody>> = {
  media_card: createLazyBody(() => import('./media-card.tsx').then((m) => m.MediaCard)),
  preview: createLazyBody(() => import('./preview-frame.tsx').then((m) => m.PreviewFrame)),
  code_snippet: createLazyBody(() => import('./code-snippet.tsx').then((m) => m.CodeSnippet)),
  dialog: createLazyBody(() => import('./dialog-frame.tsx').then((m) => m.DialogFrame)),
  process_frame: createLazyBody(() => import('./process-frame.tsx').then((m) => m.ProcessFrame)),
  config_panel: createLazyBody(() => import('./config-panel.tsx').then((m) => m.ConfigPanel)),
  agent_preview: createLazyBody(() => import('./agent-preview.tsx').then((m) => m.AgentPreview)),
  people_overview: createLazyBody(() => import('./people-frames.tsx').then((m) => m.PeopleOverviewFrame)),
  role_manager: createLazyBody(() => import('./people-frames.tsx').then((m) => m.RoleManagerFrame)),
  collaboration_network: createLazyBody(() => import('./people-frames.tsx').then((m) => m.CollaborationNetworkFrame)),
  activity_feed: createLazyBody(() => import('./people-frames.tsx').then((m) => m.ActivityFeedFrame)),
  domain_overview: createLazyBody(() => import('./domain-overview.tsx').then((m) => m.DomainOverviewFrame)),
  domain_sharing: createLazyBody(() => import('./domain-overview.tsx').then((m) => m.DomainSharingFrame)),
  journey_line: createLazyBody(() => import('./journey/journey-frames.tsx').then((m) => m.JourneyLineFrame)),
  journey_waypoints: createLazyBody(() => import('./journey/journey-frames.tsx').then((m) => m.JourneyWaypointsFrame)),
  journey_moments: createLazyBody(() => import('./journey/journey-frames.tsx').then((m) => m.JourneyMomentsFrame)),
  journey_map: createLazyBody(() => import('./journey/journey-map.tsx').then((m) => m.JourneyMapFrame)),
  journey_learned: createLazyBody(() => import('./journey/journey-frames.tsx').then((m) => m.JourneyLearnedFrame)),
  keeper_type_identity: createLazyBody(() => import('./keeper-type-frames.tsx').then((m) => m.KeeperTypeIdentityFrame)),
  keeper_type_templates: createLazyBody(() =>
    import('./keeper-type-frames.tsx').then((m) => m.KeeperTypeTemplatesFrame),
  ),
  keeper_type_agents: createLazyBody(() => import('./keeper-type-frames.tsx').then((m) => m.KeeperTypeAgentsFrame)),
}
