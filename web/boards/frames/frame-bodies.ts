import { type ComponentType, lazy } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'

/** The board that a frame stands on, as far as a frame needs it. */
export interface FrameSurroundings {
  boardId: string
  /** What the board is of, for frames without an entity of their own. */
  entityType: string | null
  entityId: string | null
  /** `edit`: the board can be changed here. `view`: live, nothing of the board changes. `sample`: nothing is asked for or changed anywhere. */
  mode: 'edit' | 'view' | 'sample'
  /** Of a board opened by its link, instead of a session. */
  linkToken?: string
}

export interface FrameBodyProps {
  frame: Frame
  surroundings: FrameSurroundings
  /** Changes what the frame holds (`data.content`), undoable; does nothing where the board cannot be changed. */
  changeContent: (changes: Record<string, unknown>, gesture?: string) => void
  /** Opens the settings of this frame, where there are any. */
  openSettings?: () => void
}

/** Throw it when the entity of a frame is gone or not the reader's; the frame says so and the board goes on. */
export class EntityUnavailable extends Error {
  override name = 'EntityUnavailable'
}

/** What shows the frame could not be fetched. */
export class FrameNotLoaded extends Error {
  override name = 'FrameNotLoaded'
}

type Body = ComponentType<FrameBodyProps>

/** Loaded when the first frame of its type is shown. React keeps a load that failed; trying again takes another. */
class FrameBody {
  Shown: Body
  readonly #load: () => Promise<Body>
  #hasFailed = false

  constructor(load: () => Promise<Body>) {
    this.#load = load
    this.Shown = this.#begin()
  }
  tryAgain(): void {
    if (this.#hasFailed) this.Shown = this.#begin({ isAgain: true })
  }

  #begin({ isAgain = false } = {}): Body {
    this.#hasFailed = false
    return lazy(async () => {
      try {
        return { default: await this.#load() }
      } catch (reason) {
        // A browser may keep a failed import for as long as the page lives; what is not saved is in the draft.
        if (isAgain && (await isThereNow(reason))) {
          location.reload()
          return new Promise<never>(() => {})
        }
        this.#hasFailed = true
        throw new FrameNotLoaded('Failed to load frame', { cause: reason })
      }
    })
  }
}

/** Whether the file that an import failed at can be fetched by now. */
async function isThereNow(reason: unknown): Promise<boolean> {
  const [address] = (reason instanceof Error && /https?:\/\/\S+/.exec(reason.message)) || []
  return address !== undefined && (await fetch(address).catch(() => null))?.ok === true
}

const body = (load: () => Promise<Body>) => new FrameBody(load)

/** What shows each type: `process_frame: body(() => import('./process-frame.tsx').then((m) => m.ProcessFrame))`. */
export const frameBodies: Partial<Record<FrameType, FrameBody>> = {
  media_card: body(() => import('./media-card.tsx').then((m) => m.MediaCard)),
  preview: body(() => import('./preview-frame.tsx').then((m) => m.PreviewFrame)),
  code_snippet: body(() => import('./code-snippet.tsx').then((m) => m.CodeSnippet)),
  dialog: body(() => import('./dialog-frame.tsx').then((m) => m.DialogFrame)),
  process_frame: body(() => import('./process-frame.tsx').then((m) => m.ProcessFrame)),
  config_panel: body(() => import('./config-panel.tsx').then((m) => m.ConfigPanel)),
  agent_preview: body(() => import('./agent-preview.tsx').then((m) => m.AgentPreview)),
  people_overview: body(() => import('./people/people-overview.tsx').then((m) => m.PeopleOverviewFrame)),
  role_manager: body(() => import('./people/role-manager.tsx').then((m) => m.RoleManagerFrame)),
  collaboration_network: body(() =>
    import('./people/collaboration-network.tsx').then((m) => m.CollaborationNetworkFrame),
  ),
  activity_feed: body(() => import('./people/activity-feed.tsx').then((m) => m.ActivityFeedFrame)),
  domain_overview: body(() => import('./domain/domain-overview.tsx').then((m) => m.DomainOverviewFrame)),
  domain_sharing: body(() => import('./domain/domain-sharing.tsx').then((m) => m.DomainSharingFrame)),
  journey_line: body(() => import('./journey/journey-line.tsx').then((m) => m.JourneyLineFrame)),
  journey_waypoints: body(() => import('./journey/journey-waypoints.tsx').then((m) => m.JourneyWaypointsFrame)),
  journey_moments: body(() => import('./journey/journey-moments.tsx').then((m) => m.JourneyMomentsFrame)),
  journey_map: body(() => import('./journey/journey-map.tsx').then((m) => m.JourneyMapFrame)),
  journey_learned: body(() => import('./journey/journey-learned.tsx').then((m) => m.JourneyLearnedFrame)),
  keeper_type_identity: body(() =>
    import('./keeper-type/keeper-type-identity.tsx').then((m) => m.KeeperTypeIdentityFrame),
  ),
  keeper_type_templates: body(() =>
    import('./keeper-type/keeper-type-templates.tsx').then((m) => m.KeeperTypeTemplatesFrame),
  ),
  keeper_type_agents: body(() => import('./keeper-type/keeper-type-agents.tsx').then((m) => m.KeeperTypeAgentsFrame)),
}
