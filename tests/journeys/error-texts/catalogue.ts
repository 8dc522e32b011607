import { agentScene, chatScene } from './agents.ts'
import { boardScene, diagnosticsScene } from './boards.ts'
import { domainScene, platformKeyScene } from './domains.ts'
import { journalScene, roomScene, shelfScene } from './keepers.ts'
import type { Scene } from './scene.ts'

/** Each is one test of `error-texts.spec.ts`. */
export const scenes: Scene[] = [
  domainScene,
  platformKeyScene,
  agentScene,
  chatScene,
  shelfScene,
  roomScene,
  journalScene,
  boardScene,
  diagnosticsScene,
]

type Proof =
  /** Provoked in a scene of this folder. */
  | 'here'
  /** In another journey, or, with a path from the root, in another test. */
  | { seenIn: string }
  /** Kept as it is meant, in other words or not at all; product.md or answers.md says so. */
  | { replaced: string }

const seenIn = (file: string): Proof => ({ seenIn: file })
const replaced = (reason: string): Proof => ({ replaced: reason })

/**
 * By hand: every text in quotes of the three error catalogues (§8), and those that somebody sees when something is
 * refused (§2, §5). `{…}` stands for what is filled in; what is in brackets at the end says where, for a text of two
 * places.
 */
export const catalogue: Record<string, Record<string, Proof>> = {
  '000 §8, sign-in and profile': {
    'Failed to connect to the server. Please try again later.': seenIn('coming-and-going.spec.ts'),
    'An unknown error occurred.': seenIn('coming-and-going.spec.ts'),
    'Failed to update profile': 'here',
    'Failed to update profile. Please try again.': seenIn('profile-and-keys.spec.ts'),
    'Profile updated successfully!': seenIn('profile-and-keys.spec.ts'),
    'Failed to parse auth data from localStorage': seenIn('coming-and-going.spec.ts'),
    'useAuth must be used within an AuthProvider': seenIn('web/shell/outside-providers.test.tsx'),
    'useViewMode must be used within a ViewModeProvider': seenIn('web/shell/outside-providers.test.tsx'),
  },
  '000 §8, domains': {
    'Access denied to Vercel. Please check your Vercel configuration.': seenIn('custom-domain.spec.ts'),
    'Domain not found in Vercel project. Please add it to Vercel first.': seenIn('custom-domain.spec.ts'),
    'Failed to load DNS configuration. Please try again.': seenIn('custom-domain.spec.ts'),
    'Vercel error: {error}': 'here',
    'Failed to load domain status. Please try again.': 'here',
    'Failed to load domains': seenIn('domain-settings.spec.ts'),
    'Failed to create domain': seenIn('domain-settings.spec.ts'),
    'Failed to update domain': 'here',
    'Failed to save domain': seenIn('domain-settings.spec.ts'),
    'Failed to add custom domain': seenIn('custom-domain.spec.ts'),
    'Failed to add domain to Vercel': seenIn('custom-domain.spec.ts'),
    'Failed to verify domain': seenIn('custom-domain.spec.ts'),
    'Failed to add member': 'here',
    'Failed to update member role': 'here',
    'Failed to remove member': 'here',
    'Domain saved successfully': seenIn('domain-settings.spec.ts'),
    'Custom domain added successfully': seenIn('custom-domain.spec.ts'),
    'Domain added to Vercel successfully': seenIn('custom-domain.spec.ts'),
    'Domain verified successfully': seenIn('custom-domain.spec.ts'),
    'Member added successfully': seenIn('domain-settings.spec.ts'),
    'Member role updated': seenIn('domain-settings.spec.ts'),
    'Member removed successfully': seenIn('domain-settings.spec.ts'),
  },
  '000 §2 and §5': {
    'No domains found': 'here',
    'No domains match your search': seenIn('domain-settings.spec.ts'),
    'Are you sure you want to remove this member?': seenIn('domain-settings.spec.ts'),
  },
  '001 §8, agents': {
    'Failed to fetch agents': 'here',
    'Failed to load agents': 'here',
    'Agent not found': seenIn('agents-registry.spec.ts'),
    'Failed to create agent': 'here',
    'Failed to update agent': 'here',
    'Failed to delete agent': 'here',
    'Failed to run agent': 'here',
    'Failed to fetch agent logs': 'here',
    'Failed to fetch agent stats': 'here',
    'Session not found': 'here',
    'Failed to create session': 'here',
    'Failed to fetch session messages': 'here',
    'Failed to fetch sessions': 'here',
    'Agent "{slug}" is not a Lead agent': seenIn('chat-signed-in.spec.ts'),
    'TypeAgent not found': seenIn('server/agents/intent/intent.test.ts'),
    'TypeAgent extraction failed': 'here',
    'Agent execution failed': seenIn('agents-registry.spec.ts'),
    'Failed to load logs': 'here',
    'Failed to load agent: {statusText} (in its workspace)': 'here',
    'Failed to load agent: {statusText} (on its chat page)': 'here',
  },
  '001 §8, keeper types on an agent': {
    'Failed to load keeper types (on an agent)': 'here',
    'Failed to load agent assignments': 'here',
    'Failed to assign keeper type': 'here',
    'Failed to unassign keeper type': 'here',
  },
  '001 §8, keys': {
    'User not authenticated': 'here',
    'Failed to load platform keys: {status} {statusText}': seenIn('platform-keys.spec.ts'),
    'Failed to load platform API keys: {reason}': seenIn('platform-keys.spec.ts'),
    'Failed to save platform key': 'here',
    'Failed to delete platform key': 'here',
    'Failed to load your API keys. Please try again.': seenIn('profile-and-keys.spec.ts'),
    'Failed to save API key. Please try again.': seenIn('profile-and-keys.spec.ts'),
    'Failed to delete API key. Please try again.': 'here',
    'Successfully added {provider} API key!': seenIn('profile-and-keys.spec.ts'),
    'Successfully deleted {provider} API key!': seenIn('profile-and-keys.spec.ts'),
  },
  '001 §8, chat': {
    'I apologize, but I encountered an error processing your request. Please try again.':
      seenIn('chat-signed-in.spec.ts'),
    'Agent Not Found': seenIn('chat-as-visitor.spec.ts'),
    'I processed your request successfully.': 'here',
  },
  '001 §2, §5 and §7': {
    'No Agent Selected': seenIn('keeper-types.spec.ts'),
    'No agents found': 'here',
    'No agents found. Please check your database connection.': seenIn('agents-registry.spec.ts'),
    'Error loading agents: {reason}': seenIn('agents-registry.spec.ts'),
    'Error loading logs: {reason}': seenIn('logs.spec.ts'),
    'Agent executed successfully in {ms}ms': seenIn('agents-registry.spec.ts'),
    'Are you sure you want to delete {agent}? This action cannot be undone and will permanently remove the agent and all its data.':
      seenIn('agents-registry.spec.ts'),
    'No keeper types assigned yet. Click "Assign New" to get started.': seenIn('keeper-types.spec.ts'),
    'All available keeper types have been assigned to this agent.': seenIn('keeper-types.spec.ts'),
    'No logs found. Execute some agents to see logs here.': seenIn('logs.spec.ts'),
    'Authentication required to access platform API keys.': seenIn('platform-keys.spec.ts'),
    'Are you sure you want to delete the {provider} platform key?': seenIn('platform-keys.spec.ts'),
    'Invalid format. Expected format: {format}': seenIn('profile-and-keys.spec.ts'),
    '✓ Valid key format': seenIn('profile-and-keys.spec.ts'),
    'HTTP error! status: {code}': 'here',
  },
  '002 §8, administration': {
    'Error: {reason}': seenIn('platform-roles.spec.ts'),
    'Failed to load roles and users': seenIn('platform-roles.spec.ts'),
    'Failed to update role assignment': seenIn('platform-roles.spec.ts'),
    'Failed to load users': seenIn('platform-users.spec.ts'),
  },
  '002 §8, keepers': {
    'Failed to load keepers': seenIn('keeper-shelf.spec.ts'),
    'An error occurred': 'here',
    'Failed to update keeper': seenIn('keeper-shelf.spec.ts'),
    'Failed to create keeper': seenIn('keeper-shelf.spec.ts'),
    'Failed to save keeper': 'here',
    'Failed to delete keeper': 'here',
    'Failed to load keeper': 'here',
    'Failed to load keeper types': 'here',
    'using the keeper context outside its provider': replaced(
      'Nothing here is a keeper context: a page asks for the keeper of its address by itself.',
    ),
    'Failed to approve SOLE draft': seenIn('sole.spec.ts'),
    'Failed to reject SOLE draft': seenIn('sole.spec.ts'),
  },
  '002 §8, boards': {
    'Failed to add frame to board': 'here',
    'Failed to load board': seenIn('board-studio-failing.spec.ts'),
    'Failed to load frame': seenIn('board-frames.spec.ts'),
    'Failed to update frame': 'here',
  },
  '002 §8, reflections, which are only logged': {
    'Failed to load reflections': 'here',
    'Failed to create reflection': 'here',
    'Failed to update reflection': 'here',
  },
  '002 §8, template pages': {
    'Failed to fetch memory cards': seenIn('memory-cards.spec.ts'),
    'Failed to fetch voice entries': 'here',
    'Failed to create voice entry': 'here',
    'Failed to update voice entry': 'here',
    'Failed to delete voice entry': 'here',
    'Failed to fetch echoes': 'here',
    'Failed to create echo': 'here',
    'Failed to update echo': 'here',
    'Failed to deliver echo': 'here',
    'Failed to delete echo': 'here',
    'Failed to fetch logbook entries': 'here',
    'Failed to create logbook entry': 'here',
    'Failed to update logbook entry': 'here',
    'Failed to delete logbook entry': 'here',
  },
  '002 §8, diagnostics, themes, library': {
    'Unknown error': 'here',
    'Critical Error': seenIn('diagnostics.spec.ts'),
    'Failed to copy to clipboard': seenIn('diagnostics.spec.ts'),
    'came without data': seenIn('themes.spec.ts'),
    'Upload failed. Please try again.': seenIn('library.spec.ts'),
    'Error loading document content': seenIn('library.spec.ts'),
    'an alert that a demo document has no PDF': replaced(
      'The library holds no demo documents: what is in it somebody put there, and all of it can be downloaded.',
    ),
  },
  '002 §2': {
    'Failed to Load People Board': seenIn('people-board.spec.ts'),
    'Error Loading Board': seenIn('board-studio-failing.spec.ts'),
    'Frame type "{x}" is not supported.': seenIn('board-layouts.spec.ts'),
    'No frames found matching your search.': seenIn('board-canvas.spec.ts'),
    'No Board Selected': seenIn('in-the-studio.ts'),
    'Board Studio - Loading...': seenIn('board-studio-failing.spec.ts'),
    'Waiting for authentication...': seenIn('board-studio-failing.spec.ts'),
    'Board Studio recovered from an error': seenIn('board-studio-failing.spec.ts'),
    'SOLE Memory Pattern Not Active': seenIn('sole.spec.ts'),
    'This is a system-reserved Keeper Type. Editing is disabled.': seenIn('keeper-shelf.spec.ts'),
    'an alert that testing a template is coming soon': replaced(
      'Every template that a type has can be tried, so nothing is left to come.',
    ),
    'Keeper not found': seenIn('keeper-shelf.spec.ts'),
    "The requested keeper could not be found or you don't have permission to view it.": seenIn('keeper-shelf.spec.ts'),
    'Please log in to access the reflection journal.': seenIn('reflection-journal.spec.ts'),
    'Invalid keeper ID provided.': seenIn('reflection-journal.spec.ts'),
    'No documents found': seenIn('library.spec.ts'),
  },
  '002 §5': {
    'Please select a board first': seenIn('board-studio.spec.ts'),
    'Both label and belief are required': seenIn('voice-echo-logbook.spec.ts'),
    'Message is required': seenIn('voice-echo-logbook.spec.ts'),
    'Entry, label, and category are required': seenIn('voice-echo-logbook.spec.ts'),
    'File size exceeds 50MB limit': seenIn('library.spec.ts'),
    'Unsupported file type. Please upload PDF, JSON, Markdown, or text files.': seenIn('library.spec.ts'),
    'Are you sure you want to delete this document?': seenIn('library.spec.ts'),
  },
}
