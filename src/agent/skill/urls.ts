/** Where the tools of one knowledge base are. */
export function toolsUrl({ baseUrl, key }: { readonly baseUrl: string; readonly key: string }): string {
  return `${baseUrl}/agent/${encodeURIComponent(key)}/tools`;
}
