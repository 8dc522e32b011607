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
export const toBoardEntity = (name: string | null): BoardEntity | null =>
  boardEntities.find((entity) => entity === name) ?? null

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

const frameTypeDefinitions = {
  media_card: {
    name: 'Media Card',
    description: 'A picture with a caption',
    category: 'content',
    icon: 'image',
    helpText: 'Shows one picture with a title and a caption.',
    useCases: ['A cover for the board', 'A photo with a caption', 'A drawing to discuss'],
    pattern: 'focus',
    size: { width: 300, height: 200 },
  },
  preview: {
    name: 'Preview Frame',
    description: 'A read-only view of a page or entry',
    category: 'content',
    icon: 'eye',
    helpText: 'Shows a sandboxed web page, or the current state of a keeper, moment, journey, agent or board.',
    useCases: ['A journey at a glance', 'An agent’s page', 'A moment to keep in view'],
    pattern: 'focus',
    size: { width: 300, height: 220 },
  },
  code_snippet: {
    name: 'Code Snippet',
    description: 'Code or preformatted text',
    category: 'content',
    icon: 'code',
    helpText: 'Shows code or configuration with syntax colors and a copy button.',
    useCases: ['A prompt to reuse', 'A configuration file', 'A command'],
    pattern: 'focus',
    size: { width: 320, height: 200 },
  },
  dialog: {
    name: 'Dialog Frame',
    description: 'A chat with an agent',
    category: 'interaction',
    icon: 'messages',
    helpText: 'A chat with an agent you choose. Answers stream in, and the chat is saved.',
    useCases: ['Ask an agent that knows a keeper', 'Think out loud', 'Prepare a decision'],
    pattern: 'dialogic',
    size: { width: 320, height: 260 },
  },
  process_frame: {
    name: 'Process Frame',
    description: 'Steps and their progress',
    category: 'interaction',
    icon: 'list-checks',
    helpText: 'Steps in order, each marked to do, in progress, done or skipped.',
    useCases: ['An evening routine', 'A release', 'A workflow'],
    pattern: 'wizard',
    size: { width: 300, height: 180 },
  },
  config_panel: {
    name: 'Config Panel',
    description: 'Settings to edit in place',
    category: 'configuration',
    icon: 'sliders',
    helpText: 'Lets you edit the settings of the board, an agent, a keeper type or a domain.',
    useCases: ['Name and colors of this board', 'An agent’s model', 'A keeper type'],
    pattern: 'form',
    size: { width: 520, height: 400 },
  },
  agent_preview: {
    name: 'Agent Preview',
    description: 'An agent, ready to run',
    category: 'configuration',
    icon: 'stamp',
    helpText: 'Runs an agent with your input, then shows the answer and its trace.',
    useCases: ['Try an agent while building it', 'Run a daily task in one click', 'Compare two agents'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
  },
  people_overview: {
    name: 'People Overview',
    description: 'The people in a domain',
    category: 'visualization',
    icon: 'users',
    helpText: 'The people in a domain with their roles, and how many haven’t joined yet.',
    useCases: ['A family at a glance', 'Who hasn’t joined yet'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
  },
  role_manager: {
    name: 'Role Manager',
    description: 'Member roles, edited in place',
    category: 'configuration',
    icon: 'shield',
    helpText: 'Each member’s role. People who manage members can change it here.',
    useCases: ['Give someone a different role', 'See who can do what'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
  },
  collaboration_network: {
    name: 'Collaboration Network',
    description: 'Who shares journeys with whom',
    category: 'visualization',
    icon: 'network',
    helpText: 'Shows people as dots, connected by the journeys they share.',
    useCases: ['See who shares journeys'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
  },
  activity_feed: {
    name: 'Activity Feed',
    description: 'Recent activity in a domain',
    category: 'visualization',
    icon: 'activity',
    helpText: 'Invitations, role changes and sharing in a domain, newest first.',
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
    helpText: 'The domain’s name, address, members and setup progress.',
    useCases: ['Check on a domain'],
    pattern: 'canvas',
    size: { width: 320, height: 220 },
    boardEntity: 'domain',
  },
  domain_sharing: {
    name: 'Shared Here',
    description: 'Content that members share',
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
    helpText: 'The journey as a line, with its moments as dots.',
    useCases: ['Walk through a year'],
    pattern: 'canvas',
    size: { width: 660, height: 260 },
    boardEntity: 'journey',
  },
  journey_waypoints: {
    name: 'Waypoints',
    description: 'Waypoints to check off',
    category: 'interaction',
    icon: 'flag',
    helpText: 'Paths and their waypoints. Check one off when you reach it.',
    useCases: ['See what comes next'],
    pattern: 'canvas',
    size: { width: 320, height: 340 },
    boardEntity: 'journey',
  },
  journey_moments: {
    name: 'Moments',
    description: 'Moments along the way',
    category: 'content',
    icon: 'feather',
    helpText: 'The moments of the journey, newest first.',
    useCases: ['Reread a journey'],
    pattern: 'canvas',
    size: { width: 320, height: 340 },
    boardEntity: 'journey',
  },
  journey_map: {
    name: 'Places',
    description: 'A sketch map of the places',
    category: 'visualization',
    icon: 'map-pin',
    helpText: 'Where the moments happened, drawn by location. No online map is used.',
    useCases: ['See how far a journey went'],
    pattern: 'canvas',
    size: { width: 320, height: 260 },
    boardEntity: 'journey',
  },
  journey_learned: {
    name: 'What I Learned',
    description: 'A closing reflection',
    category: 'interaction',
    icon: 'lightbulb',
    helpText: 'Write what stays with you from the journey. Your text becomes a reflection in the journey’s keeper.',
    useCases: ['Close a journey'],
    pattern: 'canvas',
    size: { width: 320, height: 340 },
    boardEntity: 'journey',
  },
  keeper_type_identity: {
    name: 'Keeper Type',
    description: 'Name, purpose, memory pattern',
    category: 'configuration',
    icon: 'shapes',
    helpText: 'The keeper type’s name and how its keepers remember.',
    useCases: ['Set up a keeper type'],
    pattern: 'canvas',
    size: { width: 320, height: 240 },
    boardEntity: 'keeper-type',
  },
  keeper_type_templates: {
    name: 'Engagement Templates',
    description: 'Templates for keepers of this type',
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
    description: 'Agents for keepers of this type',
    category: 'configuration',
    icon: 'waypoints',
    helpText: 'Agents assigned to keepers of this type.',
    useCases: ['Assign an agent'],
    pattern: 'canvas',
    size: { width: 320, height: 220 },
    boardEntity: 'keeper-type',
  },
} as const satisfies Record<string, FrameTypeInfo>

export type FrameType = keyof typeof frameTypeDefinitions
export const frameTypes: Record<FrameType, FrameTypeInfo> = frameTypeDefinitions
export const frameTypeNames = Object.keys(frameTypeDefinitions) as FrameType[]

export function isFrameType(name: string): name is FrameType {
  return Object.hasOwn(frameTypeDefinitions, name)
}

/** The name of a type; for one from a newer version, its identifier with spaces. */
export const getFrameTypeName = (frameType: string): string =>
  isFrameType(frameType) ? frameTypes[frameType].name : frameType.replaceAll('_', ' ')

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
  const accepted = acceptedFrames[pattern]
  if (accepted === 'anything') return true
  const category = isFrameType(frameType) ? frameTypes[frameType].category : undefined
  return accepted.some((item) => item === frameType || item === category)
}

export const getFittingPatterns = (frameType: string): EngagementPattern[] =>
  engagementPatterns.filter((pattern) => acceptsFrame(pattern, frameType))

export function describeAcceptedFrames(pattern: EngagementPattern): string {
  const accepted = acceptedFrames[pattern]
  if (accepted === 'anything') return 'Works with every frame.'
  const names = accepted.map((item) => (isFrameType(item) ? frameTypes[item].name : `any ${item} frame`))
  return `Works with ${formatList(names)}.`
}

/** Why a frame can't have the pattern, and the patterns to choose instead. */
export function describePatternMismatch(pattern: EngagementPattern, frameType: string): string {
  return `${getFrameTypeName(frameType)} doesn’t work in ${pattern}. Choose ${formatList(getFittingPatterns(frameType), 'disjunction')}.`
}

/** For example `a, b and c`, or `a, b or c` for a disjunction. */
export const formatList = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en-GB', { type }).format(items)
