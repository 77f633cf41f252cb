/** Where a field says null for what is absent or hidden, instead of an error. Everything else stays the error it is. */
import { GatewayError } from "../errors.ts";

export async function nullIfNotFound<T>(read: T | Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === "NOT_FOUND") {
      return null;
    }
    throw thrown;
  }
}
