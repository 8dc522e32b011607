export const frameCategories = ['content', 'interaction', 'configuration', 'visualization'] as const
export type FrameCategory = (typeof frameCategories)[number]
export const frameCategoryNames: Record<FrameCategory, string> = {
  content: 'Content',
  interaction: 'Interaction',
  configuration: 'Configuration',
  visualization: 'Visualization',
}

export const boardEntities = ['agent', 'domain', 'journey', 'keeper-type', 'people'] as const
export type BoardEntity = (typeof boardEntities)[number]

interface FrameTypeInfo {
  name: string
  description: string
  category: FrameCategory
  /** A name in web/boards/frames/frame-icons.tsx. */
  icon: string
  helpText: string
  useCases: readonly string[]
  pattern: EngagementPattern
  /** Canvas pixels, multiples of 20. */
  size: { width: number; height: number }
  /** Offered only on boards of this entity; on all boards if absent. */
  boardEntity?: BoardEntity
}

export const engagementPatterns = ['dialogic', 'wizard', 'canvas', 'focus', 'gallery', 'form'] as const
export type EngagementPattern = (typeof engagementPatterns)[number]
export const boardModes = ['dialogic', 'wizard', 'canvas', 'focus'] as const

const types = {
  media_card: {
    name: 'Media Card',
    description: 'A cover, picture or page',
    category: 'content',
    icon: 'image',
    helpText: 'Holds one picture with a title and a line below it.',
    useCases: ['A cover for the board', 'A photograph with its caption', 'A drawing to talk about'],
    pattern: 'focus',
    size: { width: 300, height: 200 },
  },
  preview: {
    name: 'Preview Frame',
    description: 'Shows something else, read-only',
    category: 'content',
    icon: 'eye',
    helpText: 'Shows a page in a sandbox, or a keeper, moment, journey, agent or board as it is now.',
    useCases: ['A journey at a glance', 'The page of an agent', 'A moment to keep in sight'],
    pattern: 'focus',
    size: { width: 300, height: 220 },
  },
  code_snippet: {
    name: 'Code Snippet',
    description: 'Text with fixed formatting',
    category: 'content',
    icon: 'code',
    helpText: 'Shows code or configuration with syntax colors and a copy button.',
    useCases: ['A prompt to reuse', 'A configuration', 'A command'],
    pattern: 'focus',
    size: { width: 320, height: 200 },
  },
  dialog: {
    name: 'Dialog Frame',
    description: 'Talk with an agent in place',
    category: 'interaction',
    icon: 'messages',
    helpText: 'A chat with an agent you choose. Answers stream in, and the chat is saved.',
    useCases: ['Ask an agent that knows a keeper', 'Think aloud', 'Prepare a decision'],
    pattern: 'dialogic',
    size: { width: 320, height: 260 },
  },
  process_frame: {
    name: 'Process Frame',
    description: 'Steps, each with a state',
    category: 'interaction',
    icon: 'list-checks',
    helpText: 'Steps in their order: to do, in progress, done or skipped.',
    useCases: ['An evening round', 'A release', 'A workflow'],
    pattern: 'wizard',
    size: { width: 300, height: 180 },
  },
  config_panel: {
    name: 'Config Panel',
    description: 'Settings for the board',
    category: 'configuration',
    icon: 'sliders',
    helpText: 'Changes the settings of the board, an agent, a keeper type or a domain in place.',
    useCases: ['Name and colors of this board', 'The model of an agent', 'A keeper type'],
    pattern: 'form',
    size: { width: 300, height: 240 },
  },
  agent_preview: {
    name: 'Agent Preview',
    description: 'An agent, ready to run',
    category: 'configuration',
    icon: 'stamp',
    helpText: 'Runs its agent with what you type, then shows the answer and its trace.',
    useCases: ['Try an agent while building it', 'One click for a daily run', 'Compare two agents'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
  },
  people_overview: {
    name: 'People Overview',
    description: 'The people in a domain',
    category: 'visualization',
    icon: 'users',
    helpText: 'The people of a domain with their roles, and how many are waiting to join.',
    useCases: ['A family at a glance', 'Invited people'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
  },
  role_manager: {
    name: 'Role Manager',
    description: 'Roles, changed in place',
    category: 'configuration',
    icon: 'shield',
    helpText: 'The role of each member. People who manage members can change it.',
    useCases: ['Give someone another role', 'See who can do what'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
  },
  collaboration_network: {
    name: 'Collaboration Network',
    description: 'Who shares journeys with whom',
    category: 'visualization',
    icon: 'network',
    helpText: 'People as points, shared journeys as lines between them.',
    useCases: ['See who shares journeys'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
  },
  activity_feed: {
    name: 'Activity Feed',
    description: 'What happened in a domain',
    category: 'visualization',
    icon: 'activity',
    helpText: 'Invitations, roles and sharing of a domain, newest first.',
    useCases: ['What changed this week'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
    boardEntity: 'people',
  },
  domain_overview: {
    name: 'Domain Overview',
    description: 'A domain at a glance',
    category: 'visualization',
    icon: 'globe',
    helpText: 'Name, address, members and setup progress.',
    useCases: ['The state of a domain'],
    pattern: 'canvas',
    size: { width: 320, height: 220 },
    boardEntity: 'domain',
  },
  domain_sharing: {
    name: 'Shared Here',
    description: 'Shared by members of the domain',
    category: 'content',
    icon: 'gift',
    helpText: 'Keepers and journeys shared in the domain that your role can read.',
    useCases: ['Find what others share'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
    boardEntity: 'domain',
  },
  journey_line: {
    name: 'Journey Line',
    description: 'The journey and its moments',
    category: 'visualization',
    icon: 'route',
    helpText: 'The journey as a line, its moments as beads.',
    useCases: ['Walk through a year'],
    pattern: 'canvas',
    size: { width: 620, height: 240 },
    boardEntity: 'journey',
  },
  journey_waypoints: {
    name: 'Waypoints',
    description: 'Waypoints to tick off',
    category: 'interaction',
    icon: 'flag',
    helpText: 'Paths with their waypoints. Tick one when you reach it.',
    useCases: ['What comes next'],
    pattern: 'canvas',
    size: { width: 300, height: 260 },
    boardEntity: 'journey',
  },
  journey_moments: {
    name: 'Moments',
    description: 'Moments along the way',
    category: 'content',
    icon: 'feather',
    helpText: 'The moments of the journey, newest first.',
    useCases: ['Read on'],
    pattern: 'canvas',
    size: { width: 320, height: 300 },
    boardEntity: 'journey',
  },
  journey_map: {
    name: 'Places',
    description: 'A sketch of the places',
    category: 'visualization',
    icon: 'map-pin',
    helpText: 'Places of the moments, drawn by position. No map is loaded.',
    useCases: ['See how far it went'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
    boardEntity: 'journey',
  },
  journey_learned: {
    name: 'What I Learned',
    description: 'A reflection to close with',
    category: 'interaction',
    icon: 'lightbulb',
    helpText: 'Write what stays with you from the journey. It becomes a reflection in its keeper.',
    useCases: ['Close a journey well'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
    boardEntity: 'journey',
  },
  keeper_type_identity: {
    name: 'Keeper Type',
    description: 'Name, purpose, memory pattern',
    category: 'configuration',
    icon: 'shapes',
    helpText: 'The keeper type’s name and how its keepers remember.',
    useCases: ['Shape a keeper type'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
    boardEntity: 'keeper-type',
  },
  keeper_type_templates: {
    name: 'Engagement Templates',
    description: 'Templates for its keepers',
    category: 'configuration',
    icon: 'layout-template',
    helpText: 'Templates linked to the keeper type.',
    useCases: ['Link a template'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
    boardEntity: 'keeper-type',
  },
  keeper_type_agents: {
    name: 'Assigned Agents',
    description: 'Agents for its keepers',
    category: 'configuration',
    icon: 'waypoints',
    helpText: 'Agents assigned to keepers of this type.',
    useCases: ['Assign an agent'],
    pattern: 'canvas',
    size: { width: 320, height: 220 },
    boardEntity: 'keeper-type',
  },
} as const satisfies Record<string, FrameTypeInfo>

export type FrameType = keyof typeof types
export const frameTypes: Record<FrameType, FrameTypeInfo> = types
export const frameTypeNames = Object.keys(types) as FrameType[]

export function isFrameType(name: string): name is FrameType {
  return Object.hasOwn(types, name)
}

export function getFrameLibrary(entity: BoardEntity | null): FrameType[] {
  return frameTypeNames.filter((name) => {
    const { boardEntity } = frameTypes[name]
    return boardEntity === undefined || boardEntity === entity
  })
}

const acceptedFrames: Record<EngagementPattern, readonly (FrameType | FrameCategory)[] | 'anything'> = {
  dialogic: ['dialog', 'content'],
  wizard: ['process_frame', 'config_panel'],
  focus: ['media_card', 'preview', 'code_snippet'],
  canvas: 'anything',
  gallery: ['media_card'],
  form: ['config_panel'],
}

export function acceptsFrame(pattern: EngagementPattern, frameType: string): boolean {
  const takes = acceptedFrames[pattern]
  if (takes === 'anything') return true
  const category = isFrameType(frameType) ? frameTypes[frameType].category : undefined
  return takes.some((item) => item === frameType || item === category)
}

export function describeAcceptedFrames(pattern: EngagementPattern): string {
  const takes = acceptedFrames[pattern]
  if (takes === 'anything') return `${pattern} takes anything`
  const last = takes.at(-1)
  return `${pattern} takes ${takes.length > 1 ? `${takes.slice(0, -1).join(', ')} and ${last}` : last}`
}
