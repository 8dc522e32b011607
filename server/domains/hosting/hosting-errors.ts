/** What the page says to a code of a status (seed 000 §8); a code that is not here has the provider's own words. */
export const hostingErrors = {
  '403': 'Access denied to Vercel. Please check your Vercel configuration.',
  '404': 'Domain not found in Vercel project. Please add it to Vercel first.',
  DNS_CONFIG_ERROR: 'Failed to load DNS configuration. Please try again.',
} as const

/** The provider says that it has the name already: in this project or in another one. */
export const takenCodes = ['domain_already_in_use', 'domain_taken', 'existing_project_domain', '409']

/** A failure as a whole sentence. */
export function failureText(errorCode: string, error: string): string {
  return errorCode in hostingErrors ? error : `Vercel error: ${error}`
}
