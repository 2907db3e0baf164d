// Connections on which no request is under way: only so many of all are kept, and where one more comes, the one that has rested
// longest is closed, so that whoever opens many and says nothing keeps nobody else out.
import type { Socket } from "node:net";

export class RestingConnections {
  /** Rested longest first. */
  private readonly resting = new Set<Socket>();
  private open = 0;

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    this.open += 1;
    this.resting.add(socket);
    socket.once("close", () => {
      this.open -= 1;
      this.resting.delete(socket);
    });
    if (this.open <= this.most) return;
    const [oldest] = this.resting;
    oldest!.destroy();
  }

  /** A request came over it. */
  woken(socket: Socket): void {
    this.resting.delete(socket);
  }

  /** What came over it is answered. */
  rests(socket: Socket): void {
    if (!socket.destroyed) this.resting.add(socket);
  }
}
