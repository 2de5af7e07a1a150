import game.Game;
import game.equipment.container.Container;
import game.types.board.SiteType;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import main.collections.FastArrayList;
import other.AI;
import other.GameLoader;
import other.RankUtils;
import other.action.Action;
import other.context.Context;
import other.move.Move;
import other.trial.Trial;
import utils.AIFactory;

/**
 * Matches of one of Ludii's agents against `ludex engine`, move by move over pipes; docs/strength.md says how it is
 * started. Arguments: LUDEX LIBRARY GAME.lud OPTIONS|- LUDII_AGENT LUDEX_AGENT SECONDS MATCHES PLIES SEED.
 * Seats alternate; a match that is longer than PLIES counts half. After every match a line `SUM` has all so far.
 */
public final class Duel {
  private final List<String> command;
  private final Game game;
  private final String agent;
  private final double seconds;
  private final int longest;
  private int wins, draws, losses, capped, faults, disagreements;
  private long plies;
  private double positions;
  private long thoughts;

  private Duel(List<String> command, Game game, String agent, double seconds, int longest) {
    this.command = command;
    this.game = game;
    this.agent = agent;
    this.seconds = seconds;
    this.longest = longest;
  }

  public static void main(String[] args) throws Exception {
    List<String> options = args[3].equals("-") ? new ArrayList<>() : Arrays.asList(args[3].split(";"));
    String file = args[1] + "/lud/" + args[2];
    double seconds = Double.parseDouble(args[6]);
    List<String> command = new ArrayList<>(Arrays.asList(
        args[0], "engine", file, "--defs", args[1] + "/def", "--agent", args[5], "--time",
        Math.round(seconds * 1000) + "ms", "--clock", "cpu"));
    for (String option : options) command.addAll(Arrays.asList("--option", option));
    Game game = GameLoader.loadGameFromFile(new File(file), options);
    Duel duel = new Duel(command, game, args[4], seconds, Integer.parseInt(args[8]));
    long seed = Long.parseLong(args[9]);
    String resolved = duel.warm(seed);
    for (int number = 0; number < Integer.parseInt(args[7]) && duel.faults < 3; number++) {
      duel.match(number, seed + number);
      int matches = duel.wins + duel.draws + duel.losses;
      System.out.printf(Locale.ROOT,
          "SUM\t%s\t%s\t%s = %s\t%ss\tn=%d\twins=%d\tdraws=%d\tlosses=%d\tcapped=%d\tfaults=%d\tdisagree=%d\tplies=%.1f\tpositions=%.0f%n",
          args[2], args[5], args[4], resolved, args[6], matches, duel.wins, duel.draws, duel.losses, duel.capped,
          duel.faults, duel.disagreements, duel.plies / (double) Math.max(1, matches),
          duel.positions / Math.max(1, duel.thoughts));
      System.out.flush();
    }
    System.exit(0);
  }

  /** Searches in positions of random games until the virtual machine has compiled what it will; what the agent is. */
  private String warm(long seed) {
    Random random = new Random(seed);
    String resolved = "?";
    long end = System.currentTimeMillis() + 8000;
    while (System.currentTimeMillis() < end) {
      Trial trial = new Trial(game);
      Context context = new Context(game, trial);
      game.start(context);
      AI ai = AIFactory.createAI(agent);
      ai.initAI(game, 1);
      resolved = inner(ai).friendlyName();
      for (int ply = 0; ply < 60 && !trial.over() && System.currentTimeMillis() < end; ply++) {
        if (mover(context) == 1) ai.selectAction(game, ai.copyContext(context), 0.2, -1, -1);
        FastArrayList<Move> legal = game.moves(context).moves();
        game.apply(context, legal.get(random.nextInt(legal.size())));
      }
      ai.closeAI();
    }
    return resolved;
  }

  private static AI inner(AI ai) {
    try {
      java.lang.reflect.Field field = ai.getClass().getDeclaredField("currentAgent");
      field.setAccessible(true);
      return field.get(ai) instanceof AI found ? found : ai;
    } catch (ReflectiveOperationException none) {
      return ai;
    }
  }

  private static int mover(Context context) {
    return context.state().playerToAgent(context.state().mover());
  }

  private void match(int number, long seed) throws Exception {
    int ours = 1 + number % 2;
    List<String> whole = new ArrayList<>(command);
    whole.addAll(Arrays.asList("--seed", Long.toString(seed)));
    ProcessBuilder builder = new ProcessBuilder(whole).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().remove("LD_PRELOAD");
    Process process = builder.start();
    AI ai = AIFactory.createAI(agent);
    Trial trial = new Trial(game);
    Context context = new Context(game, trial);
    game.start(context);
    ai.initAI(game, 3 - ours);
    int ply = 0;
    String said = null;
    try (Writer out = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (; !trial.over() && ply < longest; ply++) {
        FastArrayList<Move> legal = game.moves(context).moves();
        List<String> texts = texts(context, legal);
        int chosen = mover(context) == ours ? ask(in, out, texts) : think(ai, context, legal);
        say(in, out, "play " + texts.get(chosen));
        game.apply(context, legal.get(chosen));
      }
      if (trial.over()) said = say(in, out, "turn").get(0);
    } catch (IOException | RuntimeException fault) {
      faults++;
      System.out.println("match " + number + " FAULT at ply " + ply + ": " + fault.getMessage());
      return;
    } finally {
      ai.closeAI();
      process.destroy();
      process.waitFor();
    }
    double score = trial.over() ? (RankUtils.agentUtilities(context)[ours] + 1) / 2 : 0.5;
    boolean agreed = said == null || Math.abs(payoff(said, ours) - score) < 0.01;
    if (score > 0.5) wins++;
    else if (score < 0.5) losses++;
    else draws++;
    if (!trial.over()) capped++;
    if (!agreed) disagreements++;
    plies += ply;
    System.out.println("match " + number + " seat " + ours + " score " + score + " plies " + ply
        + (agreed ? "" : " LUDEX SAYS " + said));
  }

  /** What Ludex plays. */
  private int ask(BufferedReader in, Writer out, List<String> texts) throws IOException {
    List<String> answer = say(in, out, "go");
    for (String line : answer) {
      if (line.startsWith("info ") && texts.size() > 1) {
        java.util.regex.Matcher found = java.util.regex.Pattern.compile("\"simulations\":(\\d+)").matcher(line);
        if (found.find() && line == answer.get(answer.size() - 2)) {
          positions += Double.parseDouble(found.group(1));
          thoughts++;
        }
      }
      if (line.startsWith("bestmove ")) {
        int at = texts.indexOf(line.substring("bestmove ".length()));
        if (at >= 0) return at;
        throw new IOException(line + " is not among " + texts.subList(0, Math.min(12, texts.size())));
      }
    }
    throw new IOException("no move in " + answer);
  }

  /** What Ludii plays. */
  private int think(AI ai, Context context, FastArrayList<Move> legal) throws IOException {
    if (legal.size() == 1) return 0;
    Move chosen = ai.selectAction(game, ai.copyContext(context), seconds, -1, -1);
    for (int at = 0; at < legal.size(); at++) if (legal.get(at).equals(chosen)) return at;
    throw new IOException("Ludii plays " + chosen + ", which is not legal");
  }

  /** Says a line; the lines of the answer. */
  private static List<String> say(BufferedReader in, Writer out, String line) throws IOException {
    out.write(line + "\n");
    out.flush();
    List<String> answer = new ArrayList<>();
    for (String next = in.readLine(); ; next = in.readLine()) {
      if (next == null) throw new IOException("ludex has ended");
      if (next.isEmpty()) break;
      if (next.startsWith("error ")) throw new IOException(line + ": " + next);
      answer.add(next);
    }
    return answer;
  }

  private static double payoff(String turn, int player) {
    String list = turn.replaceAll(".*\"payoffs\":\\[([^\\]]*)\\].*", "$1");
    String[] payoffs = list.split(",");
    return player <= payoffs.length && !list.isEmpty() ? Double.parseDouble(payoffs[player - 1]) : -1;
  }

  // ----- moves as Ludex writes them ---------------------------------------------------------------

  /** The texts of all legal moves; different moves that read alike are numbered in their order. */
  private static List<String> texts(Context context, FastArrayList<Move> legal) {
    List<String> plain = new ArrayList<>();
    for (Move move : legal) plain.add(text(context, move));
    List<String> out = new ArrayList<>();
    for (int at = 0; at < plain.size(); at++) {
      String text = plain.get(at);
      LinkedHashSet<String> kinds = new LinkedHashSet<>();
      int place = 0;
      if (Collections.frequency(plain, text) > 1) {
        for (int other = 0; other < plain.size(); other++) {
          if (!plain.get(other).equals(text)) continue;
          String whole = legal.get(other).getMoveWithConsequences(context).toTrialFormat(null);
          kinds.add(whole);
          if (other == at) place = new ArrayList<>(kinds).indexOf(whole) + 1;
        }
      }
      out.add(kinds.size() > 1 ? text + "#" + place : text);
    }
    return out;
  }

  private static String text(Context context, Move move) {
    List<String> parts = new ArrayList<>();
    decisions(context, move, parts);
    if (parts.isEmpty()) {
      return site(context, null, move.fromNonDecision()) + "-" + site(context, null, move.toNonDecision());
    }
    return String.join(",", parts);
  }

  private static void decisions(Context context, Move move, List<String> parts) {
    for (Action action : move.actions()) {
      if (action instanceof Move inner) decisions(context, inner, parts);
      else if (action.isDecision()) decision(context, action, parts);
    }
  }

  private static void decision(Context context, Action action, List<String> parts) {
    String name = action.getClass().getSimpleName();
    String from = site(context, action.fromType(), action.from());
    String to = site(context, action.toType(), action.to());
    if (name.startsWith("ActionMove") || name.equals("ActionStackMove") || name.equals("ActionCopy")) {
      parts.add(from + "-" + to);
    } else if (name.equals("ActionAdd") || name.equals("ActionInsert")) {
      parts.add(isOnlyKind(context, action.what()) ? to : context.components()[action.what()].name() + "@" + to);
    } else if (name.startsWith("ActionRemove")) {
      parts.add("x" + to);
    } else if (name.equals("ActionSelect")) {
      parts.add(action.to() >= 0 && action.to() != action.from() ? from + "-" + to : from);
    } else if (name.equals("ActionPromote")) {
      parts.add(to + "=" + context.components()[action.what()].name());
    } else if (name.equals("ActionPass")) {
      parts.add("pass");
    } else if (name.equals("ActionSwap")) {
      parts.add("swap");
    } else if (name.equals("ActionSetState")) {
      parts.add(to + ":" + action.state());
    }
  }

  private static boolean isOnlyKind(Context context, int what) {
    int owner = context.components()[what].owner();
    int kinds = 0;
    for (int at = 1; at < context.components().length; at++) {
      if (context.components()[at].owner() == owner) kinds++;
    }
    return kinds == 1;
  }

  private static String site(Context context, SiteType kind, int site) {
    if (site < 0) return "off";
    if (kind != SiteType.Vertex && kind != SiteType.Edge) {
      int[] containers = context.containerId();
      if (site < containers.length && containers[site] > 0) {
        Container container = context.game().equipment().containers()[containers[site]];
        return container.name() + ":" + (site - context.sitesFrom()[containers[site]]);
      }
    }
    SiteType meant = kind == null ? context.board().defaultSite() : kind;
    List<? extends other.topology.TopologyElement> all = context.topology().getGraphElements(meant);
    return site < all.size() ? all.get(site).label() : Integer.toString(site);
  }
}
