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
class LazyBody {
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

export const frameBodies: Partial<Record<FrameType, LazyBody>> = {
  media_card: new LazyBody(() => import('./media-card.tsx').then((module) => module.MediaCard)),
  preview: new LazyBody(() => import('./preview-frame.tsx').then((module) => module.PreviewFrame)),
  code_snippet: new LazyBody(() => import('./code-snippet.tsx').then((module) => module.CodeSnippet)),
  dialog: new LazyBody(() => import('./dialog-frame.tsx').then((module) => module.DialogFrame)),
  process_frame: new LazyBody(() => import('./process-frame.tsx').then((module) => module.ProcessFrame)),
  config_panel: new LazyBody(() => import('./config-panel.tsx').then((module) => module.ConfigPanel)),
  agent_preview: new LazyBody(() => import('./agent-preview.tsx').then((module) => module.AgentPreview)),
  people_overview: new LazyBody(() => import('./people-frames.tsx').then((module) => module.PeopleOverviewFrame)),
  role_manager: new LazyBody(() => import('./people-frames.tsx').then((module) => module.RoleManagerFrame)),
  collaboration_network: new LazyBody(() =>
    import('./people-frames.tsx').then((module) => module.CollaborationNetworkFrame),
  ),
  activity_feed: new LazyBody(() => import('./people-frames.tsx').then((module) => module.ActivityFeedFrame)),
  domain_overview: new LazyBody(() => import('./domain-overview.tsx').then((module) => module.DomainOverviewFrame)),
  domain_sharing: new LazyBody(() => import('./domain-overview.tsx').then((module) => module.DomainSharingFrame)),
  journey_line: new LazyBody(() => import('./journey/journey-frames.tsx').then((module) => module.JourneyLineFrame)),
  journey_waypoints: new LazyBody(() =>
    import('./journey/journey-frames.tsx').then((module) => module.JourneyWaypointsFrame),
  ),
  journey_moments: new LazyBody(() =>
    import('./journey/journey-frames.tsx').then((module) => module.JourneyMomentsFrame),
  ),
  journey_map: new LazyBody(() => import('./journey/journey-map.tsx').then((module) => module.JourneyMapFrame)),
  journey_learned: new LazyBody(() =>
    import('./journey/journey-frames.tsx').then((module) => module.JourneyLearnedFrame),
  ),
  keeper_type_identity: new LazyBody(() =>
    import('./keeper-type-frames.tsx').then((module) => module.KeeperTypeIdentityFrame),
  ),
  keeper_type_templates: new LazyBody(() =>
    import('./keeper-type-frames.tsx').then((module) => module.KeeperTypeTemplatesFrame),
  ),
  keeper_type_agents: new LazyBody(() =>
    import('./keeper-type-frames.tsx').then((module) => module.KeeperTypeAgentsFrame),
  ),
}
