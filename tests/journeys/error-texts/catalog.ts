import { agentScene, chatScene } from './agents.ts'
import { boardScene, diagnosticsScene } from './boards.ts'
import { domainScene, platformKeyScene } from './domains.ts'
import { engagementScene, journalScene, keeperListScene } from './keepers.ts'
import type { ErrorScene } from './scene.ts'

/** Each scene is one test of `error-texts.spec.ts`. */
export const scenes: ErrorScene[] = [
  domainScene,
  platformKeyScene,
  agentScene,
  chatScene,
  keeperListScene,
  engagementScene,
  journalScene,
  boardScene,
  diagnosticsScene,
]

type TextProof =
  /** Provoked in one of `scenes`. */
  | 'scene'
  /** In another journey or, with a path from the root, another test. */
  | { testedIn: string }
  /** Intentionally worded differently or absent. */
  | { replaced: string }

const testedIn = (file: string): TextProof => ({ testedIn: file })
const replaced = (reason: string): TextProof => ({ replaced: reason })

/**
 * Every error text of the specification and every refusal that people see, listed by hand. `{…}` is a placeholder;
 * a location in parentheses at the end distinguishes identical texts.
 */
export const errorTextCatalog: Record<string, Record<string, TextProof>> = {
  'sign-in and profile': {
    'Failed to connect to the server. Please try again later.': testedIn('sign-in-and-out.spec.ts'),
    'An unknown error occurred.': testedIn('sign-in-and-out.spec.ts'),
    'Failed to update profile': 'scene',
    'Failed to update profile. Please try again.': testedIn('profile-and-keys.spec.ts'),
    'Profile updated successfully!': testedIn('profile-and-keys.spec.ts'),
    'Failed to parse auth data from localStorage': testedIn('sign-in-and-out.spec.ts'),
    'useAuth must be used within an AuthProvider': testedIn('web/shell/outside-providers.test.tsx'),
    'useViewMode must be used within a ViewModeProvider': testedIn('web/shell/outside-providers.test.tsx'),
  },
  domains: {
    'Access denied to Vercel. Please check your Vercel configuration.': testedIn('custom-domain.spec.ts'),
    'Domain not found in Vercel project. Please add it to Vercel first.': testedIn('custom-domain.spec.ts'),
    'Failed to load DNS configuration. Please try again.': testedIn('custom-domain.spec.ts'),
    'Vercel error: {error}': 'scene',
    'Failed to load domain status. Please try again.': 'scene',
    'Failed to load domains': testedIn('domain-settings.spec.ts'),
    'Failed to create domain': testedIn('domain-settings.spec.ts'),
    'Failed to update domain': 'scene',
    'Failed to save domain': testedIn('domain-settings.spec.ts'),
    'Failed to add custom domain': testedIn('custom-domain.spec.ts'),
    'Failed to add domain to Vercel': testedIn('custom-domain.spec.ts'),
    'Failed to verify domain': testedIn('custom-domain.spec.ts'),
    'Failed to add member': 'scene',
    'Failed to update member role': 'scene',
    'Failed to remove member': 'scene',
    'Domain saved successfully': testedIn('domain-settings.spec.ts'),
    'Custom domain added successfully': testedIn('custom-domain.spec.ts'),
    'Domain added to Vercel successfully': testedIn('custom-domain.spec.ts'),
    'Domain verified successfully': testedIn('custom-domain.spec.ts'),
    'Member added successfully': testedIn('domain-settings.spec.ts'),
    'Member role updated': testedIn('domain-settings.spec.ts'),
    'Member removed successfully': testedIn('domain-settings.spec.ts'),
  },
  'domain lists': {
    'No domains found': 'scene',
    'No domains match your search': testedIn('domain-settings.spec.ts'),
    'Are you sure you want to remove this member?': testedIn('domain-settings.spec.ts'),
  },
  agents: {
    'Failed to fetch agents': 'scene',
    'Failed to load agents': 'scene',
    'Agent not found': testedIn('agents-registry.spec.ts'),
    'Failed to create agent': 'scene',
    'Failed to update agent': 'scene',
    'Failed to delete agent': 'scene',
    'Failed to run agent': 'scene',
    'Failed to fetch agent logs': 'scene',
    'Failed to fetch agent stats': 'scene',
    'Session not found': 'scene',
    'Failed to create session': 'scene',
    'Failed to fetch session messages': 'scene',
    'Failed to fetch sessions': 'scene',
    'Agent "{slug}" is not a Lead agent': testedIn('chat-signed-in.spec.ts'),
    'TypeAgent not found': testedIn('server/agents/intent/intent.test.ts'),
    'TypeAgent extraction failed': 'scene',
    'Agent execution failed': testedIn('agents-registry.spec.ts'),
    'Failed to load logs': 'scene',
    'Failed to load agent: {statusText} (in its workspace)': 'scene',
    'Failed to load agent: {statusText} (on its chat page)': 'scene',
  },
  'keeper types on an agent': {
    'Failed to load keeper types (on an agent)': 'scene',
    'Failed to load agent assignments': 'scene',
    'Failed to assign keeper type': 'scene',
    'Failed to unassign keeper type': 'scene',
  },
  keys: {
    'User not authenticated': 'scene',
    'Failed to load platform keys: {status} {statusText}': testedIn('platform-keys.spec.ts'),
    'Failed to load platform API keys: {reason}': testedIn('platform-keys.spec.ts'),
    'Failed to save platform key': 'scene',
    'Failed to delete platform key': 'scene',
    'Failed to load your API keys. Please try again.': testedIn('profile-and-keys.spec.ts'),
    'Failed to save API key. Please try again.': testedIn('profile-and-keys.spec.ts'),
    'Failed to delete API key. Please try again.': 'scene',
    'Successfully added {provider} API key!': testedIn('profile-and-keys.spec.ts'),
    'Successfully deleted {provider} API key!': testedIn('profile-and-keys.spec.ts'),
  },
  chat: {
    'I apologize, but I encountered an error processing your request. Please try again.':
      testedIn('chat-signed-in.spec.ts'),
    'Agent Not Found': testedIn('chat-as-visitor.spec.ts'),
    'I processed your request successfully.': 'scene',
  },
  'agents, logs and keys in detail': {
    'No Agent Selected': testedIn('keeper-types.spec.ts'),
    'No agents found': 'scene',
    'No agents found. Please check your database connection.': testedIn('agents-registry.spec.ts'),
    'Error loading agents: {reason}': testedIn('agents-registry.spec.ts'),
    'Error loading logs: {reason}': testedIn('logs.spec.ts'),
    'Agent executed successfully in {ms}ms': testedIn('agents-registry.spec.ts'),
    'Are you sure you want to delete {agent}? This action cannot be undone and will permanently remove the agent and all its data.':
      testedIn('agents-registry.spec.ts'),
    'No keeper types assigned yet. Click "Assign New" to get started.': testedIn('keeper-types.spec.ts'),
    'All available keeper types have been assigned to this agent.': testedIn('keeper-types.spec.ts'),
    'No logs found. Execute some agents to see logs here.': testedIn('logs.spec.ts'),
    'Authentication required to access platform API keys.': testedIn('platform-keys.spec.ts'),
    'Are you sure you want to delete the {provider} platform key?': testedIn('platform-keys.spec.ts'),
    'Invalid format. Expected format: {format}': testedIn('profile-and-keys.spec.ts'),
    '✓ Valid key format': testedIn('profile-and-keys.spec.ts'),
    'HTTP error! status: {code}': 'scene',
  },
  administration: {
    'Error: {reason}': testedIn('platform-roles.spec.ts'),
    'Failed to load roles and users': testedIn('platform-roles.spec.ts'),
    'Failed to update role assignment': testedIn('platform-roles.spec.ts'),
    'Failed to load users': testedIn('platform-users.spec.ts'),
  },
  keepers: {
    'Failed to load keepers': testedIn('keeper-list.spec.ts'),
    'An error occurred': 'scene',
    'Failed to update keeper': testedIn('keeper-list.spec.ts'),
    'Failed to create keeper': testedIn('keeper-list.spec.ts'),
    'Failed to save keeper': 'scene',
    'Failed to delete keeper': 'scene',
    'Failed to load keeper': 'scene',
    'Failed to load keeper types': 'scene',
    'using the keeper context outside its provider': replaced(
      'There is no keeper context: each page fetches the keeper of its URL.',
    ),
    'Failed to approve SOLE draft': testedIn('sole.spec.ts'),
    'Failed to reject SOLE draft': testedIn('sole.spec.ts'),
  },
  boards: {
    'Failed to add frame to board': 'scene',
    'Failed to load board': testedIn('board-studio-errors.spec.ts'),
    'Failed to load frame': testedIn('board-frames.spec.ts'),
    'Failed to update frame': 'scene',
  },
  'reflections, which are only logged': {
    'Failed to load reflections': 'scene',
    'Failed to create reflection': 'scene',
    'Failed to update reflection': 'scene',
  },
  'template pages': {
    'Failed to fetch memory cards': testedIn('memory-cards.spec.ts'),
    'Failed to fetch voice entries': 'scene',
    'Failed to create voice entry': 'scene',
    'Failed to update voice entry': 'scene',
    'Failed to delete voice entry': 'scene',
    'Failed to fetch echoes': 'scene',
    'Failed to create echo': 'scene',
    'Failed to update echo': 'scene',
    'Failed to deliver echo': 'scene',
    'Failed to delete echo': 'scene',
    'Failed to fetch logbook entries': 'scene',
    'Failed to create logbook entry': 'scene',
    'Failed to update logbook entry': 'scene',
    'Failed to delete logbook entry': 'scene',
  },
  'diagnostics, themes, library': {
    'Unknown error': 'scene',
    'Critical Error': testedIn('diagnostics.spec.ts'),
    'Failed to copy to clipboard': testedIn('diagnostics.spec.ts'),
    'came without data': testedIn('themes.spec.ts'),
    'Upload failed. Please try again.': testedIn('library.spec.ts'),
    'Error loading document content': testedIn('library.spec.ts'),
    'an alert that a demo document has no PDF': replaced(
      'The library has no demo documents, and every document can be downloaded.',
    ),
  },
  'boards and keepers in detail': {
    'Failed to Load People Board': testedIn('people-board.spec.ts'),
    'Error Loading Board': testedIn('board-studio-errors.spec.ts'),
    'Frame type "{x}" is not supported.': testedIn('board-layouts.spec.ts'),
    'No frames found matching your search.': testedIn('board-canvas.spec.ts'),
    'No Board Selected': testedIn('board-studio-page.ts'),
    'Board Studio - Loading...': testedIn('board-studio-errors.spec.ts'),
    'Waiting for authentication...': testedIn('board-studio-errors.spec.ts'),
    'Board Studio recovered from an error': testedIn('board-studio-errors.spec.ts'),
    'SOLE Memory Pattern Not Active': testedIn('sole.spec.ts'),
    'This is a system-reserved Keeper Type. Editing is disabled.': testedIn('keeper-list.spec.ts'),
    'an alert that testing a template is coming soon': replaced(
      'Every template of a type can be tested, so nothing is announced.',
    ),
    'Keeper not found': testedIn('keeper-list.spec.ts'),
    "The requested keeper could not be found or you don't have permission to view it.": testedIn('keeper-list.spec.ts'),
    'Please log in to access the reflection journal.': testedIn('reflection-journal.spec.ts'),
    'Invalid keeper ID provided.': testedIn('reflection-journal.spec.ts'),
    'No documents found': testedIn('library.spec.ts'),
  },
  'form validation': {
    'Please select a board first': testedIn('board-studio.spec.ts'),
    'Both label and belief are required': testedIn('voice-echo-logbook.spec.ts'),
    'Message is required': testedIn('voice-echo-logbook.spec.ts'),
    'Entry, label, and category are required': testedIn('voice-echo-logbook.spec.ts'),
    'File size exceeds 50MB limit': testedIn('library.spec.ts'),
    'Unsupported file type. Please upload PDF, JSON, Markdown, or text files.': testedIn('library.spec.ts'),
    'Are you sure you want to delete this document?': testedIn('library.spec.ts'),
  },
}
