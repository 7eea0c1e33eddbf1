/** The generated files that follow from the code alone. */
export async function contractFiles(): Promise<[path: string, content: string][]> {
  return [];
}
